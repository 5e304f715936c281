import { type Bridge, type BridgeOptions, openBridge } from '@toolbridge/bridge'
import { openaiResponsesTools } from '@toolbridge/bridge/openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelSurface, modelSurface } from '../../src/adapters/model-surface.ts'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const servers = [{ ...inMemory('gallery'), tools: { deny: ['sound'] } }, inMemory('hello')]
const options: BridgeOptions = {
  ...permissive(servers),
  permissions: { mode: 'allow', deny: ['mcp:hello__repeat'] },
  results: { maxCharacters: 1_000 },
}

let bridge: Bridge
let surface: ModelSurface
beforeAll(async () => {
  bridge = await openBridge(options)
  surface = modelSurface(bridge, 'openai-strict', { search: {} })
})
afterAll(() => bridge.close())

async function said(name: string, args: unknown): Promise<string> {
  const { content } = await surface.answer(name, args)
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n')
}

test('a large catalog is offered as two tools, and one to read long results with', () => {
  expect(surface.tools.map(({ name }) => name)).toEqual(['tool_search', 'call_tool', 'read_result'])
  const listed = modelSurface(bridge, 'openai', { search: { above: 100 } })
  expect(listed.tools.map(({ name }) => name)).toContain('hello__hello')
  expect(listed.tools.map(({ name }) => name)).not.toContain('tool_search')
  expect(openaiResponsesTools(bridge, { search: {} }).tools.map(({ name }) => name)).toContain('tool_search')
})

test('a search returns the best tools with their schemas, and names the words that nothing has', async () => {
  const found = JSON.parse(await said('tool_search', { query: 'greet somebody quantum' }))
  expect(found.tools[0]).toMatchObject({
    name: 'hello__hello',
    parameters: { type: 'object', required: ['name'] },
  })
  expect(found.unmatched).toEqual(['quantum'])
  expect(await said('tool_search', {})).toContain('needs a text "query"')
})

test('a tool that was found is called with arguments for its lowered schema', async () => {
  expect(await said('call_tool', { name: 'hello__hello', arguments: { name: 'Ada' } })).toBe('Hello, Ada!')
  expect(await said('call_tool', { name: 'hello__hello', arguments: { name: null } })).toBe('Hello, world!')
  expect(await said('call_tool', { name: 'mcp://hello/hello', arguments: {} })).toBe('Hello, world!')
})

test('what a direct call may not do, call_tool may not do either', async () => {
  expect(await said('call_tool', { name: 'hello__repeat', arguments: { text: 'a' } })).toContain(
    'may not be called',
  )
  for (const name of ['gallery__sound', 'mcp://gallery/sound', 'gallery__of_the_page', 'gone', 5])
    expect(await said('call_tool', { name, arguments: {} })).toContain('there is no tool')
  expect(await said('call_tool', { name: 'gallery__lost', arguments: {} })).toContain('cannot be called')
  expect(await said('hello__hello', {})).toBe('there is no tool "hello__hello"')
})

test('with a choice of tools, only these are found and called', async () => {
  const narrowed = modelSurface(bridge, 'openai', { only: ['hello__hello'], search: {} })
  const { content } = await narrowed.answer('tool_search', { query: 'picture greet' })
  const [block] = content
  const found = JSON.parse(block?.type === 'text' ? block.text : '')
  expect(found.tools.map(({ name }: { name: string }) => name)).toEqual(['hello__hello'])
  expect(await narrowed.answer('call_tool', { name: 'gallery__picture', arguments: {} })).toMatchObject({
    isError: true,
  })
})

test('the rest of a long result is read on by its address', async () => {
  const excerpt = await said('call_tool', { name: 'gallery__long', arguments: { characters: 5_000 } })
  const [uri] = /result:\/\/[0-9a-f-]+/.exec(excerpt) ?? []
  expect(await said('read_result', { uri, from: 4_990, length: 100 })).toBe('0123456789\n\n[the end]')
  expect(await said('read_result', { uri, length: 10 })).toMatch(
    /^0123456789\n\n\[… 4990 more characters; read on from 10\]$/,
  )
  expect(await said('read_result', { uri: 'result://gone' })).toContain('there is no result')
})

test('a tool that one provider would refuse is put aside with a diagnostic, once', async () => {
  const messages: string[] = []
  await using other = await openBridge({
    ...permissive([inMemory('gallery')]),
    journal: (event) => {
      if (event.type === 'diagnostic' && event.code === 'tool_quarantined') messages.push(event.message)
    },
  })
  expect(other.toolsFor('openai').quarantined).toMatchObject([{ code: 'reference_unresolvable' }])
  other.toolsFor('openai')
  expect(messages).toEqual([
    'server "gallery": the tool gallery__lost was left out for openai (reference_unresolvable): the reference "#/$defs/gone" does not exist in the schema',
  ])
})
