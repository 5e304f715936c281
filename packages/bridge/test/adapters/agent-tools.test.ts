import { type Bridge, type BridgeOptions, openBridge } from '@toolbridge/bridge'
import { agentTools } from '@toolbridge/bridge/agent-tool'
import type { AgentTool, Tool } from '@toolbridge/client'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { type Answer, scriptedInMemory } from '../servers/scripted-in-memory.ts'
import { permissive } from '../servers/specs.ts'

const outputSchema = { type: 'object' as const, required: ['total'] }
const sum: Tool = { name: 'sum', inputSchema: { type: 'object' }, outputSchema }

/** A bridge of one server with one tool. */
async function withTool(
  answer: Answer,
  results: BridgeOptions['results'] = {},
): Promise<AsyncDisposable & { readonly bridge: Bridge; readonly tool: AgentTool }> {
  const transportOf = scriptedInMemory([sum], answer)
  const bridge = await openBridge({ ...permissive([inMemory('hello', 'math')]), transportOf, results })
  const [tool] = agentTools(bridge)
  if (tool === undefined) throw new Error('the bridge has no tool')
  return { bridge, tool, [Symbol.asyncDispose]: () => bridge.close() }
}

const text = (value: string): object => ({ type: 'text', text: value })
const both = { content: [text('a'), text('b')], structuredContent: { total: 3 } }
const strange = { content: [text('a'), { type: 'hologram', beams: 2 }] }

test.each([
  ['the default', {}, both, 'a\nb'],
  ['structured: always', { structured: 'always' }, both, 'a\nb\n{"total":3}'],
  ['text: concat', { text: 'concat' }, both, 'ab'],
  ['the default', {}, strange, 'a\n{"type":"hologram","beams":2}'],
  ['unknown: drop', { unknown: 'drop' }, strange, 'a'],
  [
    'media: placeholder',
    { media: 'placeholder' },
    { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] },
    '[image image/png]',
  ],
  [
    'structured: validate',
    { structured: 'validate' },
    { content: [text('a')], structuredContent: {} },
    expect.stringMatching(/^Tool error: .*required property 'total'/),
  ],
] as const)(
  'a result is shown by the result policy: %s [D28] [D29] [D30]',
  async (_, policy, result, shown) => {
    await using given = await withTool(() => result, policy)
    expect(await given.tool.execute()).toEqual(shown)
  },
)

test('images and audio are parts; other files are named [D29]', async () => {
  const blob = { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'AA==' }
  const content = [text('look'), { type: 'audio', data: 'AA==', mimeType: 'audio/wav' }]
  await using given = await withTool(() => ({ content: [...content, { type: 'resource', resource: blob }] }))
  expect(await given.tool.execute()).toEqual([
    { type: 'text', text: 'look' },
    { type: 'audio', source: { type: 'base64', mediaType: 'audio/wav', data: 'AA==' } },
    { type: 'text', text: '[file application/pdf]' },
  ])
})

test('the trace of an execution reaches the server, and its progress the caller [S4-85]', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await using given = await withTool(({ _meta }, notify) => {
    notify('notifications/progress', { progressToken: _meta?.['progressToken'], progress: 1, total: 2 })
    return { content: [text(String(_meta?.['traceparent']))] }
  })
  const progress: object[] = []
  const shown = await given.tool.execute(
    {},
    { trace: { traceparent, callId: 'c' }, onProgress: (report) => void progress.push(report) },
  )
  expect(shown).toBe(traceparent)
  expect(progress).toMatchObject([{ progress: 1, total: 2 }])
})
