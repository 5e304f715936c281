import { expect, test } from 'vitest'
import { shownArguments } from '../../src/permission/approvals/approvals.ts'
import { ControlFiles } from '../../src/permission/control-files/control-files.ts'
import { compileDecision } from '../../src/permission/rules/decide.ts'
import { compileRules, type PermissionRules } from '../../src/permission/rules/rules.ts'
import type { Subject } from '../../src/permission/rules/subject.ts'

const tool: Subject = {
  namespace: 'mcp',
  server: 's',
  item: 't',
  name: 's__t',
  names: () => new Set(['s__t']),
}

function verdict(rules: PermissionRules, args: Readonly<Record<string, unknown>>): string {
  return compileDecision(tool, compileRules(rules), { folders: ['/p'] })(args, 'ada').verdict
}

test.each([
  'https://docs.example//admin/x',
  'https://docs.example///admin/x',
  'https://docs.example/public//../admin/x',
  'https://docs.example\\\\admin\\x',
  'https://docs.example/%2fadmin/x',
])('an address is denied however many slashes a server takes for one: %s', (url) => {
  const deny = ['mcp://s/t(url=https://docs.example/admin/**)']
  expect(verdict({ mode: 'allow', deny }, { url })).toBe('deny')
})

test.each([
  ['allow', 'https://docs.example/public/a'],
  ['allow', 'https://docs.example/public//a'],
  ['allow', 'https://docs.example/public/https://other.example/'],
  ['ask', 'https://docs.example/public//../secret'],
  ['ask', 'https://docs.example/public/a//../../secret'],
  ['ask', 'https://docs.example/public//%2e%2e/secret'],
])('and allowed only if it is in the folder for every server: %s %s', (wanted, url) => {
  expect(verdict({ allow: ['mcp://s/t(url=https://docs.example/public/**)'] }, { url })).toBe(wanted)
})

test.each([
  ['ask', '["/etc/shadow","/docs/x"]'],
  ['ask', '{"/etc/shadow":"/docs/x"}'],
  ['allow', '["/docs/x"]'],
  ['allow', '/home/docs/x'],
])('a JSON text is allowed by a pattern for paths only if all that is in it is: %s %s', (wanted, path) => {
  expect(verdict({ allow: ['mcp://s/t(path=**/docs/*)'] }, { path })).toBe(wanted)
})

test('a path ends at a NUL also for a server that ignores the variants of Unicode', () => {
  const rules: PermissionRules = { mode: 'allow', deny: ['mcp://s/t(path="/etc/shadow")'] }
  expect(verdict(rules, { path: '/tmp／..／etc/shadow%00.png' })).toBe('deny')
  expect(verdict(rules, { path: '/tmp／..／etc/shadows%00.png' })).toBe('allow')
})

test.each([String.raw`"\u002emcp.json"`, '"/p/.mcp.json"', '["\\"/p/.mcp.json\\""]'])(
  'a control file is found in a JSON text: %s',
  async (path) => {
    const files = new ControlFiles([], () => [])
    for (const machine of [undefined, { home: '/root', folders: ['/p'] }]) {
      expect(files.mayBeNamed({ path }, machine)).toBe(true)
      expect(await files.namedBy({ path }, machine, new AbortController().signal)).toBeDefined()
    }
  },
)

test('values that are nested very deeply are shown without indentation, which would be longer than they are', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100)}1,2${']'.repeat(100)}`)
  expect(shownArguments({ deep }).text).toBe(JSON.stringify({ deep }))
  expect(shownArguments({ flat: [1] }).text).toBe(JSON.stringify({ flat: [1] }, null, 2))
})
