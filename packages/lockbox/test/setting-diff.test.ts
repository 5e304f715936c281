import { canary } from '@toolbridge/testkit/secrets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffValues } from '../src/settings/diff.ts'

test('names what was added, removed and changed, in the order of the document, and never a value [C25]', () => {
  const before = {
    mcpServers: {
      files: {
        command: 'npx',
        args: ['-y', 'files'],
        env: { TOKEN: canary('before'), SAME: canary('same') },
      },
      old: { url: `https://tools.example/${canary('url')}` },
    },
  }
  const after = {
    mcpServers: {
      files: { command: 'npx', args: ['-y'], env: { TOKEN: canary('after'), SAME: canary('same'), PORT: 1 } },
      new: { command: 'node', args: [canary('argument')] },
    },
  }
  const changes = diffValues(before, after)
  expect(changes).toEqual([
    { path: '/mcpServers/files/args/1', before: 'string' },
    { path: '/mcpServers/files/env/TOKEN', before: 'string', after: 'string' },
    { path: '/mcpServers/files/env/PORT', after: 'number' },
    { path: '/mcpServers/old', before: 'object' },
    { path: '/mcpServers/new', after: 'object' },
  ])
  expect(JSON.stringify(changes)).not.toContain('Kanarienvogel')
})

test.each([
  [1, 1, []],
  [null, null, []],
  [{}, {}, []],
  [1, 2, [{ path: '', before: 'number', after: 'number' }]],
  [null, false, [{ path: '', before: 'null', after: 'boolean' }]],
  [{}, [], [{ path: '', before: 'object', after: 'array' }]],
  [{ a: {} }, { a: null }, [{ path: '/a', before: 'object', after: 'null' }]],
  [
    { 'a/b': 1 },
    { '~': 1 },
    [
      { path: '/a~1b', before: 'number' },
      { path: '/~0', after: 'number' },
    ],
  ],
  [{}, JSON.parse('{"__proto__":1}'), [{ path: '/__proto__', after: 'number' }]],
  [{}, { constructor: 1 }, [{ path: '/constructor', after: 'number' }]],
])('%j to %j', (before, after, changes) => {
  expect(diffValues(before, after)).toEqual(changes)
})

test('is empty for equal values, and for them only', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [before, after] = [one, other].map((value) => JSON.parse(JSON.stringify(value)))
      expect(diffValues(before, structuredClone(before))).toEqual([])
      const isSame = diffValues(before, after).length === 0
      expect(isSame).toBe(canonical(before) === canonical(after))
    }),
  )
})

test('compares values of any depth', () => {
  let [before, after]: [unknown, unknown] = [1, 2]
  for (let level = 0; level < 20_000; level++) [before, after] = [[before], [after]]
  expect(diffValues(before, after)).toMatchObject([{ before: 'number', after: 'number' }])
})

/** JSON with sorted names: the order of members does not count. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
