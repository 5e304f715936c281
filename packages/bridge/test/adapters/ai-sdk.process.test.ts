import { openBridge } from '@toolbridge/bridge'
import { aiSdkMessages, aiSdkTools } from '@toolbridge/bridge/ai-sdk'
import { canary } from '@toolbridge/testkit/secrets'
import { createGateway, generateText, stepCountIs, streamText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, test } from 'vitest'
import { events, provider } from '@toolbridge/testkit/models'
import { inMemory } from '../servers/in-memory.ts'
import { fixture, permissive } from '../servers/specs.ts'

type Prompt = Parameters<MockLanguageModelV3['doGenerate']>[0]['prompt']

/**
 * A model that calls one tool and then says what it read. No model can be reached from a test, so this is the AI SDK's
 * own stand-in; the loop around it, the tools and the servers are real.
 */
function modelCalling(toolName: string, input: object): MockLanguageModelV3 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const read = toolOutputs(prompt)
      if (read.length > 0) {
        const content = [{ type: 'text' as const, text: JSON.stringify(read) }]
        return { content, finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }
      }
      const call = { type: 'tool-call' as const, toolCallId: '1', toolName, input: JSON.stringify(input) }
      return { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] }
    },
  })
}

function toolOutputs(prompt: Prompt): readonly unknown[] {
  return prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
      : [],
  )
}

async function whatTheModelReads(
  options: Parameters<typeof openBridge>[0],
  toolName: string,
  input: object,
): Promise<unknown> {
  await using bridge = await openBridge(options)
  const { text } = await generateText({
    model: modelCalling(toolName, input),
    tools: aiSdkTools(bridge),
    stopWhen: stepCountIs(3),
    prompt: 'go on',
  })
  return JSON.parse(text)
}

const hello = permissive([inMemory('hello')])

test('a model calls a tool through the AI SDK and reads its result [S4-3]', async () => {
  expect(await whatTheModelReads(hello, 'hello__hello', { name: 'Ada' })).toEqual([
    { type: 'text', value: 'Hello, Ada!' },
  ])
})

test('a failure that the tool reports is read as an error', async () => {
  const outputs = await whatTheModelReads(hello, 'hello__repeat', { text: 5 })
  expect(outputs).toEqual([{ type: 'error-text', value: expect.stringMatching(/text/) }])
})

test('a refused call is read as an error that says why', async () => {
  const denied = { ...hello, permissions: { mode: 'allow', deny: ['mcp:hello__*'] } } as const
  expect(await whatTheModelReads(denied, 'hello__hello', {})).toEqual([
    { type: 'error-text', value: expect.stringContaining('may not be called') },
  ])
})

test('pictures and sound reach the model as what they are', async () => {
  await using bridge = await openBridge(hello)
  const { hello__hello: tool } = aiSdkTools(bridge)
  const output = {
    content: [
      { type: 'text', text: 'look' },
      { type: 'image', data: 'aW1n', mimeType: 'image/png' },
      { type: 'audio', data: 'c25k', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ],
  }
  expect(await tool?.toModelOutput?.({ toolCallId: '1', input: {}, output })).toEqual({
    type: 'content',
    value: [
      { type: 'text', text: 'look' },
      { type: 'image-data', data: 'aW1n', mediaType: 'image/png' },
      { type: 'file-data', data: 'c25k', mediaType: 'audio/wav' },
      { type: 'text', text: '[resource file:///a]' },
    ],
  })
})

test('aborting the generation cancels the call', async () => {
  const controller = new AbortController()
  const outcomes: string[] = []
  await using bridge = await openBridge({
    ...permissive([fixture('hostile')]),
    journal: (event) => {
      if (event.type === 'permission.decided') controller.abort(new Error('enough'))
      if (event.type === 'call.finished') outcomes.push(event.outcome)
    },
  })
  const generation = generateText({
    model: modelCalling('hostile__hang', {}),
    tools: aiSdkTools(bridge),
    prompt: 'go on',
    abortSignal: controller.signal,
  })
  await generation.catch(() => {})
  expect(outcomes).toEqual(['cancelled'])
})

test('the tools can be narrowed by name, and a name that is not there is refused', async () => {
  await using bridge = await openBridge(hello)
  expect(Object.keys(aiSdkTools(bridge))).toEqual(['hello__hello', 'hello__repeat'])
  expect(Object.keys(aiSdkTools(bridge, { only: ['hello__repeat'] }))).toEqual(['hello__repeat'])
  expect(() => aiSdkTools(bridge, { only: ['gone__tool'] })).toThrow(RangeError)
})

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const toolCall = { type: 'tool-call', toolCallId: '1', toolName: 'gallery__picture', input: '{}' }

function promptOf(body: Record<string, unknown> | undefined): unknown {
  const prompt = body?.['prompt']
  return Array.isArray(prompt) ? prompt.at(-1) : undefined
}

const pictureRead = {
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolName: 'gallery__picture',
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'look' },
          { type: 'image-data', mediaType: 'image/png' },
        ],
      },
    },
  ],
}

test('over a real provider, the tools are offered, a call is made and its picture is read', async () => {
  await using bridge = await openBridge(permissive([inMemory('gallery')]))
  await using api = await provider((_, turn) => ({
    json:
      turn === 0
        ? { content: [toolCall], finishReason: { unified: 'tool-calls' }, usage, warnings: [] }
        : {
            content: [{ type: 'text', text: 'done' }],
            finishReason: { unified: 'stop' },
            usage,
            warnings: [],
          },
  }))
  const model = createGateway({ apiKey: canary('api-key'), baseURL: api.url })('test/model')
  const { text } = await generateText({
    model,
    tools: aiSdkTools(bridge, { profile: 'anthropic' }),
    stopWhen: stepCountIs(3),
    messages: aiSdkMessages(await bridge.prompts.get('gallery', 'describe')),
  })
  expect(text).toBe('done')
  expect(api.requests[0]?.body['tools']).toContainEqual(
    expect.objectContaining({
      type: 'function',
      name: 'gallery__echo',
      inputSchema: expect.objectContaining({ type: 'object' }),
    }),
  )
  expect(api.requests[0]?.body['prompt']).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }] },
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'A pixel.' }] },
  ])
  expect(promptOf(api.requests[1]?.body)).toMatchObject(pictureRead)
})

test('the same works streaming', async () => {
  await using bridge = await openBridge(permissive([inMemory('gallery')]))
  await using api = await provider((_, turn) => ({
    events: events(
      [undefined, { type: 'stream-start', warnings: [] }],
      ...(turn === 0
        ? [[undefined, toolCall] as const]
        : [
            [undefined, { type: 'text-start', id: 't' }] as const,
            [undefined, { type: 'text-delta', id: 't', delta: 'done' }] as const,
            [undefined, { type: 'text-end', id: 't' }] as const,
          ]),
      [undefined, { type: 'finish', finishReason: { unified: turn === 0 ? 'tool-calls' : 'stop' }, usage }],
    ),
  }))
  const { text } = streamText({
    model: createGateway({ apiKey: canary('api-key'), baseURL: api.url })('test/model'),
    tools: aiSdkTools(bridge),
    stopWhen: stepCountIs(3),
    prompt: 'go on',
  })
  expect(await text).toBe('done')
  expect(promptOf(api.requests[1]?.body)).toMatchObject(pictureRead)
})
