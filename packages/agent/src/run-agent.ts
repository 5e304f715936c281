import { randomUUID } from 'node:crypto'
import type { Bridge } from '@toolbridge/bridge'
import { linkedSignal } from '@toolbridge/client/internal'
import { type FinishReason, type ModelMessage, type StepResult, streamText, type ToolSet } from 'ai'
import type { AgentEvent } from './agent-event.ts'
import { ModelError } from './model-error.ts'
import { modelFailure } from './model-failure.ts'
import type { Model } from './models/open-model.ts'
import { type Part, partReporter } from './part-events.ts'
import { type AgentToolOptions, toolsForRun } from './tools-for-run.ts'

/** Options of `runAgent`. */
export interface AgentOptions extends AgentToolOptions {
  readonly model: Model
  /** Tools of the model. Default: none. */
  readonly bridge?: Bridge
  /** Further tools of the model, such as those of a workflow node. They win over tools of the bridge. Default: none. */
  readonly tools?: ToolSet
  /** The conversation so far, which ends with a message of the user. */
  readonly messages: readonly ModelMessage[]
  /** Instructions for the model. */
  readonly system?: string
  /** Requests to the model, each of which may call tools. Default: 16. */
  readonly maxSteps?: number
  /**
   * Tokens of all requests, input and output, as counted by the provider. No further request is made when they are used up;
   * the last one may exceed them. Default: no limit.
   */
  readonly maxTokens?: number
  /** Tool calls of the run, also those of code. Further calls fail, and the model is told so. Default: 128. */
  readonly maxCalls?: number
  /** How often a request is repeated after a failure that may pass, such as status 429 or 500. Default: 2. */
  readonly maxRetries?: number
  /** Aborting ends the requests and calls of the run, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Called with everything that happens, in order. */
  readonly onEvent?: (event: AgentEvent) => void
}

/**
 * Why a run ended: the model `answered`; `max_steps` or `budget` was reached while it still called tools; its answer was cut
 * (`length`) or withheld (`content_filter`); or the provider gave an `other` reason.
 */
export type AgentEnd = 'answered' | 'max_steps' | 'budget' | 'length' | 'content_filter' | 'other'

/** Tokens of all requests of a run, as counted by the provider. */
export interface AgentUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The outcome of a run. */
export interface AgentResult {
  /** Id of the run: `parent` of its calls in the journal. */
  readonly id: string
  /** Text of the last step. */
  readonly text: string
  readonly end: AgentEnd
  readonly steps: number
  readonly usage: AgentUsage
  /** Messages to append to the conversation: answers of the model and results of tools. */
  readonly messages: readonly ModelMessage[]
}

/**
 * Lets a model answer with the tools of a bridge: asks the model, makes the calls it wants, and asks again with their
 * results, until it answers. Each call is a `bridge.call`, with its rules, approvals, questions and journal. What a call
 * rejects with is told to the model. Rejects with a `ModelError`, or with the reason of `signal`.
 *
 * @example
 * ```ts
 * import { openModel, runAgent } from '@toolbridge/agent'
 *
 * const model = await openModel('openai/gpt-5') // the key is in OPENAI_API_KEY
 * const { text } = await runAgent({ model, bridge, messages: [{ role: 'user', content: 'Greet Ada.' }] })
 * console.log(text) // Hello, Ada!
 * ```
 */
export async function runAgent(options: AgentOptions): Promise<AgentResult> {
  const { model, bridge, tools, messages, system, onEvent, maxRetries, ...rest } = options
  const { maxSteps = 16, maxTokens = Infinity, maxCalls = 128, signal, ...toolOptions } = rest
  requirePositive({ maxSteps, maxTokens, maxCalls })
  signal?.throwIfAborted()
  const id = randomUUID()
  const failed = new AbortController()
  using ended = linkedSignal(signal, failed.signal)
  const abortSignal = ended.signal
  try {
    const stream = streamText({
      model: model.model,
      messages: [...messages],
      tools: toolsForRun({ bridge, tools, profile: model.profile, run: id, maxCalls }, toolOptions),
      stopWhen: ({ steps }) => steps.length >= maxSteps || tokensOf(steps) >= maxTokens,
      prepareStep: ({ steps }) => outputLimit(maxTokens - tokensOf(steps)),
      abortSignal,
      // Errors are parts of the stream.
      onError: () => {},
      ...(system === undefined ? {} : { system }),
      ...(maxRetries === undefined ? {} : { maxRetries }),
    })
    const report = partReporter(onEvent)
    for await (const part of partsOf(stream.fullStream, model)) report(part)
    signal?.throwIfAborted()
    const [steps, response] = await Promise.all([stream.steps, stream.response])
    if (isEmpty(steps.at(-1))) throw new ModelError('failed', `${model.name}: the answer cannot be read`)
    return {
      id,
      text: steps.at(-1)?.text ?? '',
      end: endOf(steps, maxSteps),
      steps: steps.length,
      usage: usageOf(steps),
      messages: response.messages,
    }
  } catch (error) {
    failed.abort(error)
    throw signal?.aborted === true ? signal.reason : error
  }
}

function requirePositive(limits: Readonly<Record<string, number>>): void {
  for (const [name, limit] of Object.entries(limits))
    if (!(limit >= 1)) throw new RangeError(`${name} must be at least 1`)
}

/** Few tokens limit the answer. Above, the limit of the model applies: a higher one would be refused, as one below 16. */
function outputLimit(tokens: number): { readonly maxOutputTokens?: number } {
  return tokens < 4_096 ? { maxOutputTokens: Math.max(16, tokens) } : {}
}

/** The parts of a stream. Throws a `ModelError` if the provider fails. */
async function* partsOf(stream: AsyncIterable<Part>, model: Model): AsyncGenerator<Part> {
  try {
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      yield part
    }
  } catch (error) {
    throw modelFailure(model, error)
  }
}

type Steps = readonly StepResult<ToolSet>[]

/** A negative count of a provider counts as none, so that it does not extend the budget. */
function usageOf(steps: Steps): AgentUsage {
  const total = (key: keyof AgentUsage): number =>
    steps.reduce((sum, { usage }) => sum + Math.max(0, usage[key] ?? 0), 0)
  return { inputTokens: total('inputTokens'), outputTokens: total('outputTokens') }
}

function tokensOf(steps: Steps): number {
  const { inputTokens, outputTokens } = usageOf(steps)
  return inputTokens + outputTokens
}

/** Whether a step has nothing but an unknown end: the provider sent something else than an answer. */
function isEmpty(step: Steps[number] | undefined): boolean {
  return step === undefined || (step.finishReason === 'other' && step.content.length === 0)
}

function endOf(steps: Steps, maxSteps: number): AgentEnd {
  const last = steps.at(-1)
  if (last === undefined) return 'other'
  if (last.toolCalls.length > 0) return steps.length >= maxSteps ? 'max_steps' : 'budget'
  return ends[last.finishReason] ?? 'other'
}

const ends: Readonly<Partial<Record<FinishReason, AgentEnd>>> = {
  stop: 'answered',
  length: 'length',
  'content-filter': 'content_filter',
}
