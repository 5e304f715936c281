import { openModel, runAgent } from '@toolbridge/agent'
import { scriptedModel } from '@toolbridge/testkit/models'
import { canary } from '@toolbridge/testkit/secrets'
import { dynamicTool, jsonSchema, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { calling, lastResults, said, world } from './world.ts'

/** Tools that count their calls. */
function countedTools(...names: readonly string[]): { readonly tools: ToolSet; readonly calls: string[] } {
  const calls: string[] = []
  const toolOf = (name: string): ToolSet[string] =>
    dynamicTool({
      inputSchema: jsonSchema({ type: 'object' }),
      execute: async () => {
        calls.push(name)
        return `${name} was called`
      },
    })
  return { calls, tools: Object.fromEntries(names.map((name) => [name, toolOf(name)])) }
}

test('further tools are offered beside those of a bridge, and win over one of the same name', async () => {
  await using w = await world(({ results }) =>
    results.length < 2 ? calling(results.length === 0 ? 'own' : 'hello__hello') : { text: 'done' },
  )
  const { tools, calls } = countedTools('own', 'hello__hello')
  expect(await w.run({ tools, only: ['hello__hello', 'hello__repeat'] })).toMatchObject({ text: 'done' })
  expect(w.scripted.requests[0]?.tools.toSorted()).toEqual(['hello__hello', 'hello__repeat', 'own'])
  expect(calls).toEqual(['own', 'hello__hello'])
})

test('the limit of calls counts further tools, also without a bridge', async () => {
  await using scripted = await scriptedModel({
    shape: 'openai',
    turns: ({ results }) => (results.length < 2 ? calling('own') : { text: 'done' }),
  })
  const model = await openModel(scripted.name, { env: scripted.env })
  const { tools, calls } = countedTools('own')
  await runAgent({ model, tools, messages: [said('Go on.')], maxCalls: 1 })
  expect(calls).toEqual(['own'])
  expect(lastResults({ scripted }).at(-1)).toContain('no more than 1 tool calls')
})

test('a key and a fetch of the host are used instead of those of the process', async () => {
  await using scripted = await scriptedModel({ shape: 'openai', turns: [{ text: 'Hello.' }] })
  const sent: string[] = []
  const model = await openModel(scripted.name, {
    env: { OPENAI_API_KEY: canary('process') },
    apiKey: canary('user'),
    baseUrl: scripted.baseUrl,
    fetch: (input, init) => {
      sent.push(new Request(input, init).url)
      return fetch(input, init)
    },
  })
  await runAgent({ model, messages: [said('Hello?')] })
  expect(sent).toHaveLength(1)
  expect(scripted.requests[0]?.headers['authorization']).toBe(`Bearer ${canary('user')}`)
  expect(model.redact?.(canary('user'))).toBe('[key]')
})
