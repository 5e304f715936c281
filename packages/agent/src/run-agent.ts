import { randomUUID } from 'node:crypto'
import type { Bridge } from '@toolbridge/bridge'
import type { CallToolResult } from '@toolbridge/client'
import {
  type ModelMessage,
  type StepResult,
  stepCountIs,
  streamText,
  type TextStreamPart,
  type ToolSet,
} from 'ai'
import type { AgentEvent } from './agent-event.ts'
import { type AgentToolOptions, agentTools } from './agent-tools.ts'
import { modelFailure } from './model-failure.ts'
import type { Model } from './models/open-model.ts'

/** Options of `runAgent`. */
export interface AgentOptions extends AgentToolOptions {
  readonly model: Model
  /** Tools of the model. Default: none. */
  readonly bridge?: Bridge
  /** The conversation so far, which ends with a message of the user. */
  readonly messages: readonly ModelMessage[]
  /** Instructions for the model. */
  readonly system?: string
  /** Requests to the model, each of which may call tools. Default: 16. */
  readonly maxSteps?: number
  /** Tokens of all requests, input and output. No further request is made when they are used up. Default: no limit. */
  readonly maxTokens?: number
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
 * const model = await openModel('compatible/llama3.2', { baseUrl: 'http://127.0.0.1:11434/v1' })
 * const { text } = await runAgent({ model, bridge, messages: [{ role: 'user', content: 'Greet Ada.' }] })
 * ```
 */
export async function runAgent(options: AgentOptions): Promise<AgentResult> {
  const {
    model,
    bridge,
    messages,
    system,
    maxSteps = 16,
    maxTokens = Infinity,
    onEvent,
    ...toolOptions
  } = options
  const id = randomUUID()
  const { signal } = toolOptions
  signal?.throwIfAborted()
  const tools = bridge === undefined ? {} : agentTools(bridge, model.profile, id, toolOptions)
  const stream = streamText({
    model: model.model,
    messages: [...messages],
    tools,
    stopWhen: [stepCountIs(maxSteps), ({ steps }) => tokensOf(steps) >= maxTokens],
    prepareStep: ({ steps }) =>
      maxTokens === Infinity ? {} : { maxOutputTokens: Math.max(1, maxTokens - tokensOf(steps)) },
    // Errors are parts of the stream.
    onError: () => {},
    ...(system === undefined ? {} : { system }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  })
  const report = reporter(onEvent)
  for await (const part of stream.fullStream) {
    if (part.type === 'error')
      throw signal?.aborted === true ? signal.reason : modelFailure(model.name, part.error)
    report(part)
  }
  signal?.throwIfAborted()
  const [steps, response] = await Promise.all([stream.steps, stream.response])
  return {
    id,
    text: steps.at(-1)?.text ?? '',
    end: endOf(steps, maxSteps),
    steps: steps.length,
    usage: usageOf(steps),
    messages: response.messages,
  }
}

type Steps = readonly StepResult<ToolSet>[]

function usageOf(steps: Steps): AgentUsage {
  const total = (key: keyof AgentUsage): number =>
    steps.reduce((sum, { usage }) => sum + (usage[key] ?? 0), 0)
  return { inputTokens: total('inputTokens'), outputTokens: total('outputTokens') }
}

function tokensOf(steps: Steps): number {
  const { inputTokens, outputTokens } = usageOf(steps)
  return inputTokens + outputTokens
}

function endOf(steps: Steps, maxSteps: number): AgentEnd {
  switch (steps.at(-1)?.finishReason) {
    case 'stop':
      return 'answered'
    case 'tool-calls':
      return steps.length >= maxSteps ? 'max_steps' : 'budget'
    case 'length':
      return 'length'
    case 'content-filter':
      return 'content_filter'
    default:
      return 'other'
  }
}

/** Translates the parts of a stream to events. */
function reporter(onEvent: (event: AgentEvent) => void = () => {}): (part: TextStreamPart<ToolSet>) => void {
  let step = 0
  return (part) => {
    switch (part.type) {
      case 'start-step':
        step += 1
        return onEvent({ type: 'step.started', step })
      case 'text-delta':
        return onEvent({ type: 'text', text: part.text })
      case 'reasoning-delta':
        return onEvent({ type: 'reasoning', text: part.text })
      case 'tool-call':
        return onEvent({
          type: 'tool.called',
          callId: part.toolCallId,
          tool: part.toolName,
          input: part.input as unknown,
        })
      case 'tool-result':
        return onEvent({
          type: 'tool.finished',
          callId: part.toolCallId,
          tool: part.toolName,
          result: part.output as CallToolResult,
        })
      case 'tool-error':
        return onEvent({
          type: 'tool.finished',
          callId: part.toolCallId,
          tool: part.toolName,
          error: part.error instanceof Error ? part.error.message : String(part.error),
        })
      case 'finish-step':
        return onEvent({ type: 'step.finished', step, tokens: part.usage.totalTokens ?? 0 })
    }
  }
}
