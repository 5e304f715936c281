import { type CallToolResult, type GetPromptResult, toText } from '@toolbridge/client'
import type { RunnableToolFunctionWithParse } from 'openai/lib/RunnableFunction'
import type {
  ChatCompletionContentPart,
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type {
  FunctionTool,
  Response,
  ResponseFunctionCallOutputItem,
  ResponseFunctionToolCall,
  ResponseInputItem,
} from 'openai/resources/responses/responses'
import type { Bridge } from '../bridge.ts'
import { isJsonObject, mediaPlaceholder, type ResultPart, resultParts } from '@toolbridge/client/internal'
import { markedParts, markedText, parsedArguments } from './model-text.ts'
import { type ModelSurface, type ModelToolsOptions, modelSurface, type SurfaceTool } from './model-surface.ts'

/** Options of the OpenAI tools. */
export interface OpenAiToolsOptions extends ModelToolsOptions {
  /** Uses strict mode for schemas that it can express. Default: true. */
  readonly strict?: boolean
}

/** Options of `answer`. */
export interface AnswerOptions {
  readonly signal?: AbortSignal
}

/** The tools of a bridge for the Responses API. */
export interface OpenAiResponsesTools {
  readonly tools: FunctionTool[]
  /** Runs the calls of a response in parallel. Resolves with the items to append to the input. */
  readonly answer: (
    response: Pick<Response, 'output'>,
    options?: AnswerOptions,
  ) => Promise<ResponseInputItem[]>
}

/** The tools of a bridge for the Chat Completions API. */
export interface OpenAiChatTools {
  readonly tools: ChatCompletionFunctionTool[]
  /** For `client.chat.completions.runTools`, which calls the tools itself; media become placeholders. */
  readonly runnable: RunnableToolFunctionWithParse<object>[]
  /**
   * Runs the calls of a message in parallel. Resolves with the messages to append. Tool messages contain only text, so
   * images and audio follow in a user message.
   */
  readonly answer: (
    message: Pick<ChatCompletionMessage, 'tool_calls'>,
    options?: AnswerOptions,
  ) => Promise<ChatCompletionMessageParam[]>
}

/** Returns the current tools of the bridge for `client.responses.create`. */
export function openaiResponsesTools(bridge: Bridge, options: OpenAiToolsOptions = {}): OpenAiResponsesTools {
  const surface = openaiSurface(bridge, options)
  return {
    tools: surface.tools.map(({ name, description, parameters, isStrict }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: isStrict,
    })),
    answer: ({ output }, { signal } = {}) =>
      Promise.all(
        output
          .filter((item): item is ResponseFunctionToolCall => item.type === 'function_call')
          .map(async ({ name, call_id, arguments: args }): Promise<ResponseInputItem> => {
            const result = await surface.answer(name, parsedArguments(args), { signal })
            return { type: 'function_call_output', call_id, output: responsesOutput(result, bridge) }
          }),
      ),
  }
}

/**
 * Returns the current tools of the bridge for `client.chat.completions`.
 *
 * @example
 * ```ts
 * import { openaiChatTools } from '@toolbridge/bridge/openai'
 *
 * const { tools, answer } = openaiChatTools(bridge) // for client.chat.completions.create({ model, messages, tools })
 * const call = { name: 'hello__hello', arguments: '{"name":"Ada"}' }
 * const answers = await answer({ tool_calls: [{ id: '1', type: 'function', function: call }] })
 * console.log(tools.length, answers) // 2 [ { role: 'tool', tool_call_id: '1', content: 'Hello, Ada!' } ]
 * ```
 */
export function openaiChatTools(bridge: Bridge, options: OpenAiToolsOptions = {}): OpenAiChatTools {
  const surface = openaiSurface(bridge, options)
  return {
    tools: surface.tools.map((tool) => ({ type: 'function', function: chatFunction(tool) })),
    runnable: surface.tools.map((tool) => runnable(surface, tool, bridge)),
    answer: async ({ tool_calls }, { signal } = {}) => {
      const calls = (tool_calls ?? []).filter((call) => call.type === 'function')
      const results = await Promise.all(
        calls.map(({ function: { name, arguments: args } }) =>
          surface.answer(name, parsedArguments(args), { signal }),
        ),
      )
      const answers = calls.map(({ id }, index): ChatCompletionMessageParam => {
        const result = results[index]
        return {
          role: 'tool',
          tool_call_id: id,
          content: result === undefined ? '' : markedText(result, bridge),
        }
      })
      const media = results.flatMap((result) => chatMedia(result, bridge))
      return media.length === 0 ? answers : [...answers, { role: 'user', content: media }]
    },
  }
}

/** Converts the messages of a prompt for the Chat Completions API. */
export function openaiChatMessages({ messages }: GetPromptResult): ChatCompletionMessageParam[] {
  return messages.map(({ role, content }): ChatCompletionMessageParam => {
    if (role === 'assistant') return { role, content: toText({ content: [content] }) }
    return { role, content: resultParts({ content: [content] }).map(chatPart) }
  })
}

/** Converts the messages of a prompt for the Responses API. */
export function openaiInput({ messages }: GetPromptResult): ResponseInputItem[] {
  return messages.map(({ role, content }): ResponseInputItem => {
    if (role === 'assistant') return { role, content: toText({ content: [content] }) }
    return { role, content: resultParts({ content: [content] }).map(inputPart) }
  })
}

function openaiSurface(bridge: Bridge, { strict = true, ...options }: OpenAiToolsOptions): ModelSurface {
  return modelSurface(bridge, strict ? 'openai-strict' : 'openai', options)
}

function chatFunction({
  name,
  description,
  parameters,
  isStrict,
}: SurfaceTool): ChatCompletionFunctionTool['function'] {
  return { name, description, parameters, strict: isStrict }
}

function runnable(
  surface: ModelSurface,
  tool: SurfaceTool,
  bridge: Bridge,
): RunnableToolFunctionWithParse<object> {
  const { name, description, parameters, isStrict } = tool
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters,
      strict: isStrict,
      parse: (input) => {
        const args = parsedArguments(input)
        if (!isJsonObject(args)) throw new SyntaxError('the arguments are not a JSON object')
        return args
      },
      function: async (args, runner) =>
        markedText(await surface.answer(name, args, { signal: runner.controller.signal }), bridge),
    },
  }
}

function responsesOutput(result: CallToolResult, bridge: Bridge): string | ResponseFunctionCallOutputItem[] {
  const parts = resultParts(result, bridge.results.policyOf(result))
  if (parts.every(({ type }) => type === 'text')) return markedText(result, bridge)
  return markedParts(result, bridge).map(inputPart)
}

type InputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; file_data: string; filename: string }

function inputPart(part: ResultPart): InputPart {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  const url = `data:${part.mimeType};base64,${part.data}`
  if (part.kind === 'image') return { type: 'input_image', image_url: url, detail: 'auto' }
  if (part.kind === 'file') return { type: 'input_file', file_data: url, filename: 'result.pdf' }
  return { type: 'input_text', text: mediaPlaceholder(part) }
}

function chatMedia(result: CallToolResult, bridge: Bridge): readonly ChatCompletionContentPart[] {
  return resultParts(result, bridge.results.policyOf(result))
    .filter(({ type }) => type === 'media')
    .map(chatPart)
}

const soundFormats: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

function chatPart(part: ResultPart): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const url = `data:${part.mimeType};base64,${part.data}`
  if (part.kind === 'image') return { type: 'image_url', image_url: { url } }
  if (part.kind === 'file') return { type: 'file', file: { file_data: url, filename: 'result.pdf' } }
  const format = soundFormats[part.mimeType]
  return format === undefined
    ? { type: 'text', text: mediaPlaceholder(part) }
    : { type: 'input_audio', input_audio: { data: part.data, format } }
}
