import {
  type ModelApi,
  objectsIn,
  piecesOf,
  textOf,
  type TypedData,
  type WrittenAnswer,
} from './model-api.ts'
import type { StreamEvent } from './provider.ts'

/** https://docs.anthropic.com/en/api/messages */
export const anthropicMessages: ModelApi = {
  basePath: '/v1',
  route: /^\/messages$/,
  isStream: ({ body }) => body['stream'] === true,
  stream: (answer) => ({
    body: [
      event({ type: 'message_start', message: { ...messageOf(answer), content: [], stop_reason: null } }),
      ...blocksOf(answer).flatMap((block, index) => blockEvents(block, index)),
    ],
    closing: [
      event({
        type: 'message_delta',
        delta: { stop_reason: stopReasons[answer.end], stop_sequence: null },
        usage: { output_tokens: answer.usage.output },
      }),
      event({ type: 'message_stop' }),
    ],
  }),
  whole: (answer) => ({ ...messageOf(answer), content: blocksOf(answer).map(wholeBlock) }),
  failure: (message) => ({ type: 'error', error: { type: 'scripted_error', message } }),
  tools: ({ tools }) => objectsIn(tools).map(({ name }) => textOf(name)),
  results: ({ messages }) =>
    objectsIn(messages)
      .flatMap(({ content }) => objectsIn(content))
      .flatMap(({ type, content }) => (type === 'tool_result' ? [textOf(content)] : [])),
}

const stopReasons = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', filter: 'refusal' } as const

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly json: string }

function blocksOf({ text, calls }: WrittenAnswer): readonly Block[] {
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, tool, input }) => ({ type: 'tool_use' as const, id, name: tool, json: input })),
  ]
}

function wholeBlock(block: Block): object {
  if (block.type === 'text') return block
  const { json, ...rest } = block
  return { ...rest, input: JSON.parse(json) as unknown }
}

function blockEvents(block: Block, index: number): readonly StreamEvent[] {
  const { start, deltas } =
    block.type === 'text'
      ? {
          start: { type: 'text', text: '' },
          deltas: piecesOf(block.text).map((text) => ({ type: 'text_delta', text })),
        }
      : {
          start: { type: 'tool_use', id: block.id, name: block.name, input: {} },
          deltas: ['', block.json].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        }
  return [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

function messageOf({ id, model, end, usage }: WrittenAnswer): object {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    stop_reason: stopReasons[end],
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  }
}

function event(data: TypedData): StreamEvent {
  return [data.type, data]
}
