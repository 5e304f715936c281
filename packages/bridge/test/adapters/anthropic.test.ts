import Anthropic from '@anthropic-ai/sdk'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { type Bridge, openBridge } from '@toolbridge/bridge'
import { anthropicMessages, anthropicTools } from '@toolbridge/bridge/anthropic'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { events, type Provider, provider } from '@toolbridge/testkit/models'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

let bridge: Bridge
beforeAll(async () => {
  bridge = await openBridge(permissive([inMemory('gallery'), inMemory('hello')]))
})
afterAll(() => bridge.close())

function client({ url }: Provider): Anthropic {
  return new Anthropic({ apiKey: canary('api-key'), baseURL: url, maxRetries: 0 })
}

function message(content: readonly object[], stopReason: string): object {
  return {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}

const said = message([{ type: 'text', text: 'done' }], 'end_turn')

function using(name: string, input: object): object {
  return message([{ type: 'tool_use', id: 't1', name, input }], 'tool_use')
}

async function turn(name: string, input: object): Promise<unknown> {
  await using api = await provider((_, count) => ({ json: count === 0 ? using(name, input) : said }))
  const tools = anthropicTools(bridge)
  const messages: MessageParam[] = [{ role: 'user', content: 'go on' }]
  const request = { model: 'm', max_tokens: 100, tools: tools.tools }
  const first = await client(api).messages.create({ ...request, messages })
  const answer = await tools.answer(first)
  if (answer === undefined) throw new Error('no call was made')
  messages.push({ role: 'assistant', content: first.content }, answer)
  const second = await client(api).messages.create({ ...request, messages })
  expect(await tools.answer(second)).toBeUndefined()
  const sent = api.requests[1]?.body['messages']
  return Array.isArray(sent) ? sent.at(-1) : undefined
}

test('the Messages API gets the tools, makes a call and reads its text [S4-3]', async () => {
  expect(await turn('hello__hello', { name: 'Ada' })).toEqual({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'Hello, Ada!' }] }],
  })
  const { tools } = anthropicTools(bridge)
  for (const { name, input_schema } of tools) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,128}$/)
    expect(input_schema).toMatchObject({ type: 'object' })
    for (const keyword of ['anyOf', 'oneOf', 'allOf', '$schema'])
      expect(input_schema).not.toHaveProperty(keyword)
  }
})

test('pictures are read as what they are, and a failure stays a failure', async () => {
  expect(await turn('gallery__picture', {})).toMatchObject({
    content: [
      {
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
        ],
      },
    ],
  })
  // The API refuses a result that is flagged as a failure and holds anything but texts.
  const { content } = (await turn('gallery__broken_picture', {})) as { content: readonly object[] }
  expect(content).toMatchObject([{ content: [{ type: 'text', text: 'Tool error:' }, { type: 'image' }] }])
  expect(content[0]).not.toHaveProperty('is_error')
  expect(await turn('gallery__mixed', {})).toMatchObject({
    content: [{ content: [{ type: 'text', text: 'one\n[resource file:///a]\ninside' }, { type: 'image' }] }],
  })
})

test('a refused call is an error that says why', async () => {
  const denied = await openBridge({
    ...permissive([inMemory('hello')]),
    permissions: { mode: 'allow', deny: ['mcp:hello__*'] },
  })
  await using _ = denied
  const tools = anthropicTools(denied)
  const call = {
    type: 'tool_use',
    id: 't',
    name: 'hello__hello',
    input: {},
    caller: { type: 'direct' },
  } as const
  expect(await tools.answer({ content: [call] })).toMatchObject({
    content: [{ is_error: true, content: [{ text: expect.stringContaining('may not be called') }] }],
  })
})

function streamed(content: object, deltas: readonly object[], stopReason: string): string {
  return events(
    ['message_start', { type: 'message_start', message: { ...message([], stopReason), stop_reason: null } }],
    ['content_block_start', { type: 'content_block_start', index: 0, content_block: content }],
    ...deltas.map(
      (delta) => ['content_block_delta', { type: 'content_block_delta', index: 0, delta }] as const,
    ),
    ['content_block_stop', { type: 'content_block_stop', index: 0 }],
    [
      'message_delta',
      { type: 'message_delta', delta: { stop_reason: stopReason }, usage: { output_tokens: 1 } },
    ],
    ['message_stop', { type: 'message_stop' }],
  )
}

test("Anthropic's own loop makes the calls, streaming", async () => {
  await using api = await provider((_, count) => ({
    events:
      count === 0
        ? streamed(
            { type: 'tool_use', id: 't1', name: 'gallery__broken_picture', input: {} },
            [{ type: 'input_json_delta', partial_json: '{}' }],
            'tool_use',
          )
        : streamed({ type: 'text', text: '' }, [{ type: 'text_delta', text: 'done' }], 'end_turn'),
  }))
  const runner = client(api).beta.messages.toolRunner({
    model: 'm',
    max_tokens: 100,
    stream: true,
    messages: [{ role: 'user', content: 'go on' }],
    tools: anthropicTools(bridge).runnable,
  })
  const final = await runner.runUntilDone()
  expect(final.content).toMatchObject([{ type: 'text', text: 'done' }])
  const sent = api.requests[1]?.body['messages']
  expect(Array.isArray(sent) ? sent.at(-1) : undefined).toMatchObject({
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 't1',
        content: [{ type: 'text', text: 'Tool error:' }, { type: 'image' }],
      },
    ],
  })
})

test('a prompt becomes messages', async () => {
  expect(anthropicMessages(await bridge.prompts.get('gallery', 'describe'))).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }] },
    { role: 'user', content: [{ type: 'image', source: { media_type: 'image/png' } }] },
    { role: 'assistant', content: [{ type: 'text', text: 'A pixel.' }] },
  ])
})
