import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bridge, openBridge, type ServerSpec } from '@toolbridge/bridge'
import {
  openaiChatMessages,
  openaiChatTools,
  openaiInput,
  openaiResponsesTools,
} from '@toolbridge/bridge/openai'
import { canary } from '@toolbridge/testkit/secrets'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '../servers/manual-clock.ts'
import { events, type Provider, provider } from '@toolbridge/testkit/models'
import { inMemory } from '../servers/in-memory.ts'
import { permissive, plainServer } from '../servers/specs.ts'

let bridge: Bridge
beforeAll(async () => {
  bridge = await openBridge(permissive([inMemory('gallery'), inMemory('hello')]))
})
afterAll(() => bridge.close())

function client({ url }: Provider): OpenAI {
  return new OpenAI({ apiKey: canary('api-key'), baseURL: url, maxRetries: 0 })
}

function called(name: string, args: object): object {
  const output = [
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name, arguments: JSON.stringify(args) },
  ]
  return { id: 'r1', object: 'response', status: 'completed', output }
}

const said = {
  id: 'r2',
  object: 'response',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'done', annotations: [] }],
    },
  ],
}

/** A whole turn: the model calls a tool, reads the result and says something. Returns what it read. */
async function responsesTurn(name: string, args: object): Promise<unknown> {
  await using api = await provider((_, turn) => ({ json: turn === 0 ? called(name, args) : said }))
  const openai = client(api)
  const tools = openaiResponsesTools(bridge)
  const input: ResponseInputItem[] = [{ role: 'user', content: 'go on' }]
  for (;;) {
    const response = await openai.responses.create({ model: 'm', input, tools: tools.tools })
    const answers = await tools.answer(response)
    if (answers.length === 0) {
      expect(response.output_text).toBe('done')
      break
    }
    input.push(...(response.output as ResponseInputItem[]), ...answers)
  }
  const second = api.requests[1]?.body['input']
  return Array.isArray(second) ? second.at(-1) : undefined
}

test('the Responses API gets strict tools, makes a call and reads its text [S4-3]', async () => {
  expect(await responsesTurn('hello__hello', { name: 'Ada' })).toEqual({
    type: 'function_call_output',
    call_id: 'call_1',
    output: 'Hello, Ada!',
  })
  const { tools } = openaiResponsesTools(bridge)
  expect(tools.find(({ name }) => name === 'gallery__echo')).toMatchObject({
    type: 'function',
    strict: true,
    parameters: { required: ['text', 'when', 'filter'], additionalProperties: false },
  })
  expect(tools.find(({ name }) => name === 'gallery__structured')).toMatchObject({ strict: false })
  expect(tools.map(({ name }) => name)).not.toContain('gallery__lost')
  expect(tools.map(({ name }) => name)).not.toContain('gallery__of_the_page')
})

test('nulls that strict mode asks for do not reach the tool, and arguments that do not fit are refused', async () => {
  const args = { text: 'ab', when: null, filter: { field: 'x', and: null } }
  expect(await responsesTurn('gallery__echo', args)).toMatchObject({
    output: '{"text":"ab","filter":{"field":"x"}}',
  })
  expect(await responsesTurn('gallery__echo', { ...args, text: 'a' })).toMatchObject({
    output: expect.stringMatching(/^Tool error: gallery__echo was not called: .*fewer than 2 characters/),
  })
})

test('pictures are read by the Responses API as what they are, also from a tool that failed', async () => {
  expect(await responsesTurn('gallery__picture', {})).toMatchObject({
    output: [
      { type: 'input_text', text: 'look' },
      { type: 'input_image', image_url: expect.stringMatching(/^data:image\/png;base64,/) },
    ],
  })
  expect(await responsesTurn('gallery__broken_picture', {})).toMatchObject({
    output: [{ type: 'input_text', text: 'Tool error:' }, { type: 'input_image' }],
  })
  expect(await responsesTurn('gallery__sound', {})).toMatchObject({
    output: [{ type: 'input_text', text: '[audio audio/wav]' }],
  })
})

test('a tool that is not there, and arguments that are no JSON, are answered with an error', async () => {
  const tools = openaiResponsesTools(bridge)
  const call = { type: 'function_call', call_id: 'c', name: 'gone', arguments: '{}' } as const
  expect(await tools.answer({ output: [call] })).toMatchObject([
    { output: 'Tool error: there is no tool "gone"' },
  ])
  const broken = { ...call, name: 'hello__hello', arguments: '{"name":' }
  expect(await tools.answer({ output: [broken] })).toMatchObject([
    { output: 'Tool error: hello__hello was not called: the arguments are not an object' },
  ])
})

function chatChunks(delta: object, finish: string): string {
  const chunk = (inner: object, reason: string | null): object => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: inner, finish_reason: reason }],
  })
  return events(
    [undefined, chunk({ role: 'assistant', ...delta }, null)],
    [undefined, chunk({}, finish)],
    [undefined, '[DONE]'],
  )
}

test("OpenAI's own loop makes the calls of the Chat API, streaming", async () => {
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'hello__repeat', arguments: '{"text":"a","count":null}' },
  }
  await using api = await provider((_, turn) => ({
    events:
      turn === 0 ? chatChunks({ tool_calls: [call] }, 'tool_calls') : chatChunks({ content: 'done' }, 'stop'),
  }))
  const runner = client(api).chat.completions.runTools({
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: 'go on' }],
    tools: openaiChatTools(bridge).runnable,
  })
  expect(await runner.finalContent()).toBe('done')
  expect(api.requests[1]?.body['messages']).toContainEqual({
    role: 'tool',
    tool_call_id: 'call_1',
    content: 'a a',
  })
  expect(api.requests[0]?.body['tools']).toContainEqual(
    expect.objectContaining({ function: expect.objectContaining({ name: 'hello__repeat', strict: true }) }),
  )
})

test('the Chat API reads text as the answer of the tool, and pictures in the message after it [S4-3]', async () => {
  const toolCall = { id: 'call_1', type: 'function', function: { name: 'gallery__picture', arguments: '{}' } }
  await using api = await provider((_, turn) => ({
    json: {
      id: 'c',
      choices: [
        {
          index: 0,
          message:
            turn === 0
              ? { role: 'assistant', content: null, tool_calls: [toolCall] }
              : { role: 'assistant', content: 'done' },
        },
      ],
    },
  }))
  const openai = client(api)
  const tools = openaiChatTools(bridge, { strict: false })
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go on' }]
  const first = await openai.chat.completions.create({ model: 'm', messages, tools: tools.tools })
  const [choice] = first.choices
  if (choice === undefined) throw new Error('no choice')
  messages.push(choice.message, ...(await tools.answer(choice.message)))
  await openai.chat.completions.create({ model: 'm', messages, tools: tools.tools })
  expect(api.requests[1]?.body['messages']).toEqual([
    expect.anything(),
    expect.anything(),
    { role: 'tool', tool_call_id: 'call_1', content: 'look\n[image image/png]' },
    {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png/) } }],
    },
  ])
})

test('a prompt becomes messages of either API', async () => {
  const prompt = await bridge.prompts.get('gallery', 'describe')
  expect(openaiChatMessages(prompt)).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }] },
    { role: 'user', content: [{ type: 'image_url' }] },
    { role: 'assistant', content: 'A pixel.' },
  ])
  expect(openaiInput(prompt)).toMatchObject([
    { role: 'user', content: [{ type: 'input_text', text: 'What is this?' }] },
    { role: 'user', content: [{ type: 'input_image' }] },
    { role: 'assistant', content: 'A pixel.' },
  ])
})

test('a server whose definition cannot be started any more is a failure that the model reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-adapter-'))
  const envFile = join(folder, 'env')
  await writeFile(envFile, '')
  const clock = new ManualClock()
  const server: ServerSpec = { ...plainServer('a'), envFile, start: 'lazy' }
  await using one = await openBridge({ ...permissive([server]), clock, idleMs: 1_000, keepAliveMs: 0 })
  await one.findTool('a__echo')
  await rm(folder, { recursive: true })
  clock.advance(1_000)
  const call = { name: 'a__echo', arguments: '{"text":"x"}' }
  const answers = await openaiChatTools(one).answer({
    tool_calls: [{ id: '1', type: 'function', function: call }],
  })
  expect(answers).toMatchObject([{ role: 'tool', content: expect.stringMatching(/^Tool error: .*envFile/) }])
})
