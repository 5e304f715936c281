import {
  type ModelApi,
  objectsIn,
  piecesOf,
  textOf,
  type TypedData,
  type WrittenAnswer,
} from './model-api.ts'
import type { StreamEvent } from './provider.ts'

/** https://platform.openai.com/docs/api-reference/responses */
export const openaiResponses: ModelApi = {
  basePath: '/v1',
  route: /^\/responses$/,
  isStream: ({ body }) => body['stream'] === true,
  stream: (answer) => {
    const started = named([{ type: 'response.created', response: responseOf(answer, 'in_progress') }])
    const items = itemsOf(answer).flatMap((item, index) => itemEvents(item, index))
    const type =
      answer.end === 'length' || answer.end === 'filter' ? 'response.incomplete' : 'response.completed'
    return {
      body: [...started, ...named(items)],
      closing: named([{ type, response: responseOf(answer) }]),
    }
  },
  whole: (answer) => responseOf(answer),
  failure: (message) => ({ error: { message, type: 'scripted_error', param: null, code: null } }),
  tools: ({ tools }) => objectsIn(tools).map(({ name }) => textOf(name)),
  results: ({ input }) =>
    objectsIn(input).flatMap(({ type, output }) => (type === 'function_call_output' ? [textOf(output)] : [])),
}

type Item =
  | { readonly type: 'message'; readonly id: string; readonly content: readonly { readonly text: string }[] }
  | { readonly type: 'function_call'; readonly id: string; readonly arguments: string }

function itemsOf({ id, text, calls }: WrittenAnswer): readonly Item[] {
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  const message = { id: `msg_${id}`, role: 'assistant', status: 'completed', content: [part] }
  return [
    ...(text === '' ? [] : [{ type: 'message' as const, ...message }]),
    ...calls.map(({ id: call, tool, input }) => ({
      type: 'function_call' as const,
      id: `fc_${call}`,
      call_id: call,
      name: tool,
      arguments: input,
      status: 'completed',
    })),
  ]
}

function itemEvents(item: Item, output_index: number): readonly TypedData[] {
  const at = { item_id: item.id, output_index }
  const added = { type: 'response.output_item.added', output_index }
  const done = { type: 'response.output_item.done', output_index, item }
  if (item.type === 'function_call') {
    const name = 'response.function_call_arguments'
    return [
      { ...added, item: { ...item, arguments: '', status: 'in_progress' } },
      ...halvesOf(item.arguments).map((delta) => ({ type: `${name}.delta`, ...at, delta })),
      { type: `${name}.done`, ...at, arguments: item.arguments },
      done,
    ]
  }
  const text = item.content.map((part) => part.text).join('')
  return [
    { ...added, item: { ...item, content: [], status: 'in_progress' } },
    ...piecesOf(text).map((delta) => ({
      type: 'response.output_text.delta',
      ...at,
      content_index: 0,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...at, content_index: 0, text, logprobs: [] },
    done,
  ]
}

function halvesOf(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

function responseOf(answer: WrittenAnswer, status?: 'in_progress'): object {
  const { id, model, usage, end } = answer
  const reasons = { length: 'max_output_tokens', filter: 'content_filter' } as const
  const reason = end === 'length' || end === 'filter' ? reasons[end] : undefined
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_790_000_000,
    model,
    status: status ?? (reason === undefined ? 'completed' : 'incomplete'),
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    output: status === undefined ? itemsOf(answer) : [],
    usage:
      status === undefined
        ? {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + usage.output,
          }
        : null,
  }
}

function named(data: readonly TypedData[]): readonly StreamEvent[] {
  return data.map((each) => [each.type, each])
}
