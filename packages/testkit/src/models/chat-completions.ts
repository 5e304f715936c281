import { type ModelApi, objectsIn, piecesOf, textOf, type WrittenAnswer } from './model-api.ts'
import type { StreamEvent } from './provider.ts'

/** How the servers that have this API differ. */
interface ChatDialect {
  /** Whether a call is streamed in pieces; else in one. */
  readonly hasPartialCalls: boolean
  /** Whether the usage is in an event of its own; else in the last one of the answer. */
  readonly hasUsageEvent: boolean
}

/** https://platform.openai.com/docs/api-reference/chat */
export const chatCompletions: ModelApi = chatApi({ hasPartialCalls: true, hasUsageEvent: true })

/** As Mistral and xAI stream it. */
export const wholeCallCompletions: ModelApi = chatApi({ hasPartialCalls: false, hasUsageEvent: false })

function chatApi(dialect: ChatDialect): ModelApi {
  return {
    basePath: '/v1',
    route: /^\/chat\/completions$/,
    isStream: ({ body }) => body['stream'] === true,
    stream: (answer) => ({ body: deltas(answer, dialect), closing: closingOf(answer, dialect) }),
    whole: (answer) => ({
      ...base(answer, 'chat.completion'),
      choices: [{ index: 0, message: messageOf(answer), finish_reason: finishReasons[answer.end] }],
      usage: usageOf(answer),
    }),
    failure: (message) => ({ error: { message, type: 'scripted_error', param: null, code: null } }),
    tools: ({ tools }) =>
      objectsIn(tools).flatMap(({ function: each }) => objectsIn([each]).map(({ name }) => textOf(name))),
    results: ({ messages }) =>
      objectsIn(messages).flatMap(({ role, content }) => (role === 'tool' ? [textOf(content)] : [])),
  }
}

const finishReasons = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filter: 'content_filter',
} as const

function messageOf({ text, calls }: WrittenAnswer): object {
  const tool_calls = calls.map((call) => toolCall(call))
  return { role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls }) }
}

function toolCall({ id, tool, input }: WrittenAnswer['calls'][number]): object {
  return { id, type: 'function', function: { name: tool, arguments: input } }
}

function deltas(answer: WrittenAnswer, { hasPartialCalls }: ChatDialect): readonly StreamEvent[] {
  const { text, calls } = answer
  return [
    { role: 'assistant', content: '' },
    ...piecesOf(text).map((content) => ({ content })),
    ...calls.flatMap((call, index) =>
      hasPartialCalls
        ? [
            { tool_calls: [{ index, ...toolCall({ ...call, input: '' }) }] },
            { tool_calls: [{ index, function: { arguments: call.input } }] },
          ]
        : [{ tool_calls: [{ index, ...toolCall(call) }] }],
    ),
  ].map((delta) => chunk(answer, { choices: [{ index: 0, delta, finish_reason: null }] }))
}

function closingOf(answer: WrittenAnswer, { hasUsageEvent }: ChatDialect): readonly StreamEvent[] {
  const choices = [{ index: 0, delta: {}, finish_reason: finishReasons[answer.end] }]
  const usage = usageOf(answer)
  const done: StreamEvent = [undefined, '[DONE]']
  if (!hasUsageEvent) return [chunk(answer, { choices, usage }), done]
  return [chunk(answer, { choices }), chunk(answer, { choices: [], usage }), done]
}

function chunk(answer: WrittenAnswer, rest: object): StreamEvent {
  return [undefined, { ...base(answer, 'chat.completion.chunk'), ...rest }]
}

function base({ id, model }: WrittenAnswer, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: 1_790_000_000, model }
}

function usageOf({ usage: { input, output } }: WrittenAnswer): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}
