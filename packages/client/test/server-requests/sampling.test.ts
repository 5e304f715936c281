import { describe, expect, test, vi } from 'vitest'
import {
  McpClient,
  type McpClientOptions,
  type SamplingRequest,
  type SamplingResult,
  samplingHandler,
  samplingRejected,
} from '../../src/index.ts'
import { connectedTo } from '../support/both-eras.ts'
import { scriptedServer } from '../support/scripted-server.ts'

const hello = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 10 }
const reply: SamplingResult = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } }

test('sampling is declared only when there is a handler, and tools only when it can take them [S4-97] [S4-126] [F11]', async () => {
  const declared = async (options: McpClientOptions): Promise<unknown> => {
    const server = scriptedServer()
    await new McpClient(server.transport, options).connect()
    const { params } = await server.message('initialize')
    return (params as { capabilities: { sampling?: unknown } }).capabilities.sampling
  }
  const onSampling = async (): Promise<SamplingResult> => reply
  expect(await declared({})).toBeUndefined()
  expect(await declared({ onSampling })).toEqual({})
  expect(await declared({ onSampling, samplingTools: true })).toEqual({ tools: {} })
})

test('the handler gets every parameter, and its answer goes to the server [S4-80] [S4-93] [S4-98] [F11]', async () => {
  const onSampling = vi.fn(async () => reply)
  const params = {
    ...hello,
    systemPrompt: 'Be brief.',
    modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
    temperature: 0.1,
    stopSequences: ['.'],
    includeContext: 'none',
    metadata: { a: 1 },
  }
  expect(await asked(params, { onSampling })).toMatchObject({ result: reply })
  expect(onSampling).toHaveBeenCalledWith(params, { signal: expect.any(AbortSignal) })
})

test('without a handler the server is told that there is no such method [F11]', async () => {
  expect(await asked(hello, {})).toMatchObject({ error: { code: -32601 } })
})

test('a user who refuses is told apart from a failure [F11]', async () => {
  const refusing = async (): Promise<never> => {
    throw samplingRejected()
  }
  expect(await asked(hello, { onSampling: refusing })).toMatchObject({ error: { code: -1 } })
})

describe('a request is refused with all that is wrong in it [F11]', () => {
  const use = { type: 'tool_use', id: 'a', name: 'add', input: {} }
  const result = { type: 'tool_result', toolUseId: 'a', content: [] }
  const text = { type: 'text', text: 'x' }
  const say = (role: string, ...content: object[]): object => ({ role, content })

  test.each([
    ['no messages, no limit', {}, /maxTokens is not a number; messages is not a list/],
    [
      'a strange role, a block without a type',
      { maxTokens: 1, messages: [{ role: 'dog', content: {} }] },
      /messages\[0\]\.role .*messages\[0\]\.content/,
    ],
    ['a use without a result', talk(say('assistant', use)), /no tool result follows for "a"/],
    ['a result without a use', talk(say('user', result)), /the tool result for "a" follows no such use/],
    [
      'results mixed with text',
      talk(say('assistant', use), say('user', result, text)),
      /messages\[1\] mixes tool results/,
    ],
    [
      'a use that is answered too late',
      talk(say('assistant', use), say('user', text), say('user', result)),
      /no tool result follows.*follows no such use/,
    ],
  ])('%s', async (_, params, message) => {
    const onSampling = vi.fn(async () => reply)
    const { error } = await asked(params, { onSampling, samplingTools: true })
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) })
    expect(onSampling).not.toHaveBeenCalled()
  })

  test('tools, when the handler cannot take them', async () => {
    const { error } = await asked({ ...hello, tools: [], toolChoice: {} }, { onSampling: async () => reply })
    const message = expect.stringMatching(/tools was sent.*toolChoice was sent/)
    expect(error).toMatchObject({ code: -32602, message })
  })

  function talk(...messages: object[]): object {
    return { maxTokens: 1, messages }
  }
})

test('a paired use and result are taken, and their _meta is kept [F11]', async () => {
  const seen: SamplingRequest[] = []
  const messages = [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'add', input: {}, _meta: { x: 1 } }] },
    { role: 'user', content: { type: 'tool_result', toolUseId: 'a', content: [], _meta: { y: 2 } } },
  ]
  const options = {
    samplingTools: true,
    onSampling: async (request: SamplingRequest) => {
      seen.push(request)
      return reply
    },
  }
  await asked({ ...hello, messages, tools: [] }, options)
  expect(seen[0]?.messages).toEqual(messages)
})

test('a server that sent no tools gets one block, since it cannot read more [F11]', async () => {
  const blocks = (...content: object[]) => ({
    onSampling: async () => ({ ...reply, content }) as unknown as SamplingResult,
  })
  const text = (words: string): object => ({ type: 'text', text: words })
  expect(await asked(hello, blocks(text('a')))).toMatchObject({ result: { content: text('a') } })
  expect(await asked(hello, blocks(text('a'), text('b')))).toMatchObject({
    result: { content: text('a\nb') },
  })
  const picture = { type: 'image', data: '', mimeType: 'image/png' }
  expect(await asked(hello, blocks(text('a'), picture))).toMatchObject({ error: { code: -32603 } })
  const withTools = { ...hello, tools: [] }
  expect(await asked(withTools, { ...blocks(text('a'), picture), samplingTools: true })).toMatchObject({
    result: { content: [text('a'), picture] },
  })
})

test('a model and the way to run it make a handler; finish reasons are put in the protocol’s words [S4-94] [S4-95] [S4-96]', async () => {
  const finishing = async (finishReason: string): Promise<unknown> => {
    const complete = async ({ model }: { model: string }) => ({ content: `by ${model}`, finishReason })
    const { result } = await asked(hello, { onSampling: samplingHandler({ model: 'small', complete }) })
    return result
  }
  const content = { type: 'text', text: 'by small' }
  expect(await finishing('stop')).toEqual({
    role: 'assistant',
    model: 'small',
    content,
    stopReason: 'endTurn',
  })
  expect(await finishing('length')).toMatchObject({ stopReason: 'maxTokens' })
  expect(await finishing('filtered')).toMatchObject({ stopReason: 'filtered' })
  const handler = async (): Promise<SamplingResult> => reply
  expect(samplingHandler(handler)).toBe(handler)
})

test('without a handshake the server asks in its result, and the model’s answer goes into the next try [F11 F14]', async () => {
  const { client } = await connectedTo(
    '2026-07-28',
    { tools: {} },
    {
      'tools/call': ({ params }) => {
        const { inputResponses } = params as { inputResponses?: unknown }
        if (inputResponses !== undefined) return { structuredContent: inputResponses, content: [] }
        const inputRequests = { poem: { method: 'sampling/createMessage', params: hello } }
        return { resultType: 'input_required', inputRequests }
      },
    },
    { onSampling: async () => reply },
  )
  expect(await client.callTool('write')).toMatchObject({ structuredContent: { poem: reply } })
})

/** Has a server with a handshake ask for a sample. */
async function asked(
  params: object,
  options: McpClientOptions,
): Promise<{ result?: unknown; error?: unknown }> {
  const server = scriptedServer()
  await new McpClient(server.transport, options).connect()
  void server.end.send({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params })
  return server.answer('q')
}
