import { createCodeRunner } from '@toolbridge/bridge/code'
import { afterAll, expect, test } from 'vitest'
import { calling, lastResults, world } from './world.ts'

const runner = createCodeRunner({ limits: { timeoutMs: 100_000 } })
afterAll(() => runner.close())
const code = { runner }

test('code calls tools in the same loop; a denied tool stays denied inside, and the journal has parents [C29]', async () => {
  const script = `const refused = await tools.hello__repeat({ text: 'a' }).catch((error) => error.message)
    return [await tools.hello__hello({ name: 'Ada' }), refused]`
  await using w = await world([calling('run_code', { code: script }), { text: 'Done.' }], {
    permissions: { mode: 'allow', deny: ['mcp:hello__repeat'] },
  })
  const { id, text } = await w.run({ code })
  expect(text).toBe('Done.')
  expect(w.scripted.requests[0]?.tools).toEqual(['run_code'])
  expect(lastResults(w)).toEqual([expect.stringMatching(/Hello, Ada!.*may not be called/)])
  const run = w.journal.find((event) => event.type === 'code.started')
  expect(run).toMatchObject({ parent: id })
  const parents = w.journal.flatMap((event) => (event.type === 'call.finished' ? [event.parent] : []))
  expect(new Set(parents)).toEqual(new Set([run?.runId]))
})

test('calls of code count as calls of the run', async () => {
  const script = `const said = []
    for (let i = 0; i < 5; i++) said.push(await tools.hello__hello({}).catch((error) => error.message))
    return said`
  await using w = await world([calling('run_code', { code: script }), { text: 'Done.' }])
  await w.run({ code, maxCalls: 3 })
  expect(w.journal.filter(({ type }) => type === 'call.finished')).toHaveLength(2)
  expect(lastResults(w)).toEqual([expect.stringContaining('no more than 3 tool calls are allowed')])
})

test('a question from inside of code reaches the caller, and the run goes on', async () => {
  const script = `return [await tools.elicit__greet_me({}), 'and on']`
  await using w = await world([calling('run_code', { code: script }), { text: 'Done.' }])
  const asked: string[] = []
  const answerer = {
    ask: async ({ message }: { readonly message: string }) => {
      asked.push(message)
      return { action: 'accept', content: { name: 'Ada' } } as const
    },
  }
  expect((await w.run({ code, answerer })).text).toBe('Done.')
  expect(asked).toEqual(['What is your name?'])
  expect(lastResults(w)).toEqual([expect.stringContaining('and on')])
})

test('aborting ends the code and its calls', async () => {
  const script = `await tools.library__wait({}).catch(() => {}); for (;;);`
  await using w = await world([calling('run_code', { code: script })])
  const abort = new AbortController()
  const run = w.run({ code, signal: abort.signal })
  const outcome = expect(run).rejects.toThrow('enough')
  await expect.poll(() => w.library.waiting).toHaveLength(1)
  abort.abort(new Error('enough'))
  await outcome
  await expect.poll(() => w.library.cancelled).toEqual(w.library.waiting)
})
