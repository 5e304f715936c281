import { canary } from '../secrets/canary.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { chatCompletions, wholeCallCompletions } from './chat-completions.ts'
import { googleContent } from './google-content.ts'
import type { ModelApi, ScriptedCall, ScriptedEnd, ScriptedUsage, WrittenAnswer } from './model-api.ts'
import { openaiResponses } from './openai-responses.ts'
import { events, provider, type ProviderAnswer, type ProviderRequest } from './provider.ts'

/** The provider that a scripted model belongs to: the first part of its name. */
export type ModelShape = 'openai' | 'anthropic' | 'google' | 'mistral' | 'xai' | 'compatible'

/** What a scripted model answers to one request. */
export type ModelTurn =
  | {
      /** The text of the answer, which is streamed word by word. Default: none. */
      readonly text?: string
      /** The calls of the answer. Default: none. */
      readonly calls?: readonly ScriptedCall[]
      /** Why the answer ends. Default: `calls` if there are any, else `stop`. */
      readonly end?: ScriptedEnd
      /** Default: 10 tokens of input and 5 of output. */
      readonly usage?: ScriptedUsage
      /** Sends what there is of a stream, and nothing after it. Default: false. */
      readonly hang?: boolean
      /** Sends what there is of a stream, and then loses the connection. Default: false. */
      readonly cut?: boolean
    }
  /** A refusal. It may be tried again at once. */
  | {
      readonly status: number
      readonly message?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Any text instead of an answer. */
  | { readonly garbage: string }

/** A request to a scripted model. */
export interface ModelRequest extends ProviderRequest {
  /** Names of the tools that it offers. */
  readonly tools: readonly string[]
  /** The results of tools in its conversation, as text, in order. */
  readonly results: readonly string[]
}

export interface ScriptedModelOptions {
  readonly shape: ModelShape
  /** An answer for each request, or what to answer to it. A request without an answer fails with status 400. */
  readonly turns: readonly ModelTurn[] | ((request: ModelRequest, index: number) => ModelTurn)
}

/** A model that answers as it is told, over the real wire format of its provider, on a port of this machine. */
export interface ScriptedModel extends AsyncDisposable {
  /** The name of the model for `openModel` and the command: `openai/scripted`. */
  readonly name: string
  /** The base URL of the API. */
  readonly baseUrl: string
  /** The environment variables by which the model is found, with a secret key. */
  readonly env: Readonly<Record<string, string>>
  /** The requests for an answer so far. */
  readonly requests: readonly ModelRequest[]
  /** The number of requests whose connection the client closed before the answer was complete. */
  readonly cancelled: number
}

interface Shape {
  readonly api: ModelApi
  readonly key: string
  readonly baseUrl: string
}

const shapes: Readonly<Record<ModelShape, Shape>> = {
  openai: { api: openaiResponses, key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
  anthropic: { api: anthropicMessages, key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' },
  google: {
    api: googleContent,
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrl: 'GOOGLE_GENERATIVE_AI_BASE_URL',
  },
  mistral: { api: wholeCallCompletions, key: 'MISTRAL_API_KEY', baseUrl: 'MISTRAL_BASE_URL' },
  xai: { api: wholeCallCompletions, key: 'XAI_API_KEY', baseUrl: 'XAI_BASE_URL' },
  compatible: {
    api: chatCompletions,
    key: 'OPENAI_COMPATIBLE_API_KEY',
    baseUrl: 'OPENAI_COMPATIBLE_BASE_URL',
  },
}

const modelName = 'scripted'

/** Starts a scripted model. The caller disposes of it. */
export async function scriptedModel({ shape, turns }: ScriptedModelOptions): Promise<ScriptedModel> {
  const { api, key, baseUrl: baseUrlName } = shapes[shape]
  const requests: ModelRequest[] = []
  const server = await provider((received) => {
    if (!isRequestFor(api, received)) return refusal(api, 404, `there is nothing at ${received.path}`)
    const request = { ...received, tools: api.tools(received.body), results: api.results(received.body) }
    requests.push(request)
    const turn =
      typeof turns === 'function' ? turns(request, requests.length - 1) : turns[requests.length - 1]
    return turn === undefined
      ? refusal(api, 400, `the script has no answer to request ${requests.length}`)
      : answerTo(api, request, turn, requests.length)
  })
  const baseUrl = `${server.url}${api.basePath}`
  return {
    name: `${shape}/${modelName}`,
    baseUrl,
    env: { [key]: canary('model-key'), [baseUrlName]: baseUrl },
    requests,
    get cancelled() {
      return server.cancelled
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function isRequestFor({ basePath, route }: ModelApi, { path }: ProviderRequest): boolean {
  return path.startsWith(basePath) && route.test(path.slice(basePath.length))
}

function answerTo(api: ModelApi, request: ProviderRequest, turn: ModelTurn, count: number): ProviderAnswer {
  if ('status' in turn) return refusal(api, turn.status, turn.message, turn.headers)
  const isStream = api.isStream(request)
  if ('garbage' in turn)
    return { text: turn.garbage, contentType: isStream ? 'text/event-stream' : 'application/json' }
  const answer = written(turn, String(count))
  const isUnfinished = turn.hang === true || turn.cut === true
  if (!isStream && !isUnfinished) return { json: api.whole(answer) }
  const { body, closing } = api.stream(answer)
  if (!isUnfinished) return { events: events(...body, ...closing) }
  return { events: isStream ? events(...body) : '', end: turn.hang === true ? 'hang' : 'cut' }
}

/** The header makes clients that repeat a request do it at once. */
function refusal(
  api: ModelApi,
  status: number,
  message = 'refused by the script',
  headers: Readonly<Record<string, string>> = {},
): ProviderAnswer {
  return { json: api.failure(message), status, headers: { 'retry-after-ms': '1', ...headers } }
}

function written(
  turn: Exclude<ModelTurn, { status: number } | { garbage: string }>,
  id: string,
): WrittenAnswer {
  const { text = '', calls = [], usage = { input: 10, output: 5 } } = turn
  return {
    id,
    model: modelName,
    text,
    calls: calls.map(({ tool, input = {} }, index) => ({
      id: `call_${id}_${index}`,
      tool,
      input: typeof input === 'string' ? input : JSON.stringify(input),
    })),
    end: turn.end ?? (calls.length > 0 ? 'calls' : 'stop'),
    usage,
  }
}
