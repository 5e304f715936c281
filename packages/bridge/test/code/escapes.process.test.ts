import { createCodeRunner } from '@toolbridge/bridge/code'
import { afterAll, expect, test } from 'vitest'
import { escapes } from './escapes.ts'

const runner = createCodeRunner({
  limits: { memoryBytes: 16 * 1024 * 1024, calls: 1_000, outputCharacters: 50_000, timeoutMs: 100_000 },
})
afterAll(() => runner.close())

const secret = 'nobody in a sandbox reads this'

/** What only the host has. */
const names = ['process', 'require', 'module', 'fetch', 'Buffer', 'setTimeout', 'WebSocket', 'hostOnly']

/** From a value to all that can be reached of it in a few steps, and whether any of it knows a name of the host. */
const probe = `
const names = ${JSON.stringify(names)}
const all = (value) => {
  const seen = new Set(), next = [[value, 0]]
  while (next.length > 0 && seen.size < 300) {
    const [one, depth] = next.pop()
    if ((typeof one !== 'object' && typeof one !== 'function') || one === null || seen.has(one) || depth > 4) continue
    seen.add(one)
    for (const key of ['constructor', '__proto__', 'caller', 'arguments', 'prototype', ...Reflect.ownKeys(one)])
      try { next.push([one[key], depth + 1]) } catch {}
  }
  return [...seen]
}
const leads = (value) => all(value).flatMap((one) => {
  const found = []
  for (const name of names) try { if (name in one && one !== globalThis[name]) found.push(name) } catch {}
  if (typeof one === 'function' && /Function$/.test(one.name))
    try {
      const made = one('return [' + names.map((name) => 'typeof ' + name).join() + '].join()')
      const said = typeof made === 'function' ? made() : undefined
      const text = typeof said?.next === 'function' ? (said.next().value ?? '') : String(said)
      if (/function|object/.test(text) && text.split(',').length === names.length) found.push(text)
    } catch {}
  return found
})`

test.each(Object.entries(escapes))(
  'no escape by %s leads out of the sandbox, advisory [H4]',
  async (_kind, ways) => {
    Object.assign(globalThis, { hostOnly: secret })
    const before = Object.keys(globalThis)
    try {
      const tries = ways.map(
        (way) =>
          `try { value = await (async () => (${way}))() } catch (error) { value = error }\nfound.push(leads(value))`,
      )
      const code = `${probe}\nlet value\nconst found = []\n${tries.join('\n')}\nreturn found`
      const call = async (name: string, args: unknown): Promise<unknown> => {
        if (name === 'fail') throw new Error('no')
        return args
      }
      const outcome = await runner.run({ code, functions: ['echo', 'fail'], call })
      expect(outcome.failure).toBeUndefined()
      const found = Array.isArray(outcome.value) ? outcome.value : []
      expect(ways.map((way, index) => [way, found[index]])).toEqual(ways.map((way) => [way, []]))
      expect(JSON.stringify(outcome)).not.toContain(secret)
      expect(Object.keys(globalThis)).toEqual(before)
      expect([Object.keys(Object.prototype), Object.keys(Array.prototype)]).toEqual([[], []])
    } finally {
      Reflect.deleteProperty(globalThis, 'hostOnly')
    }
  },
)

test('the corpus of escapes does not shrink, advisory [H4]', () => {
  const ways = Object.values(escapes).flat()
  expect(ways.length).toBeGreaterThanOrEqual(68)
  expect(new Set(ways).size).toBe(ways.length)
})
