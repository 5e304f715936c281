import { randomUUID } from 'node:crypto'
import type { CallToolResult, JsonSchema } from '@toolbridge/client'
import { parseAnswer } from '../../elicitation/parse-answer.ts'
import type { Answer, Answerer, Question } from '../../elicitation/question.ts'

/** What a skill runs in, as far as MCP is concerned. */
export interface AgentAppsContext {
  /** What the pipeline that a skill runs in hands on: which conversation it belongs to, and how that is reached. */
  readonly nonlocals?: Readonly<Record<string, unknown>>
  readonly globals: {
    readonly tools: { readonly programmaticTools: Map<string, AgentAppsTool> }
    readonly runtime: {
      invoke(
        skill: string,
        args: Readonly<Record<string, unknown>>,
        scope: { readonly nonlocals: Readonly<Record<string, unknown>> },
      ): Promise<unknown>
    }
  }
  /** The skill whose metadata is handled. */
  readonly target?: {
    readonly metadata?: { readonly mcp?: unknown }
    readonly config?: Record<string, unknown>
  }
  readonly signal?: AbortSignal
}

/** A tool of a server as a skill uses it. It is public: it has `params`. */
export interface AgentAppsTool {
  /** Server and tool in lower case, with `-` for everything but letters and digits. */
  readonly name: string
  /** `mcp://server/tool`, the tool in the same letters. */
  readonly src: string
  readonly description?: string
  readonly params: JsonSchema
  /** Calls the tool on behalf of the context it is called in, and of no other. */
  readonly fn: (
    context: AgentAppsContext,
    args?: Readonly<Record<string, unknown>>,
  ) => Promise<CallToolResult>
}

/** Brings a question of a server to the conversation that the call was made in. */
export type GatewayReceive = (
  question: Question,
  context: AgentAppsContext,
  options: { readonly signal: AbortSignal },
) => Promise<Answer>

/** Asks by the skill `gateway-receive`, which runs with the caller's own scope and so on the caller's channel. */
export const invokeGatewayReceive: GatewayReceive = async (question, { globals, nonlocals = {} }) => {
  const { origin: _origin, ...shown } = question
  return readAnswer(await globals.runtime.invoke('gateway-receive', { ...shown }, { nonlocals }))
}

/** The answerer of one call: its questions go to the context that made it. */
export function answererOf(context: AgentAppsContext, receive: GatewayReceive): Answerer {
  return { ask: (question, options) => receive(question, context, options) }
}

/** What a skill returned, if it is an answer; whoever asked checks whether it fits. */
function readAnswer(value: unknown): Answer {
  const answer = parseAnswer(value)
  if (answer === undefined) throw new TypeError('the skill gateway-receive returned no answer')
  return answer
}

/**
 * Tells conversations apart by what a pipeline hands on: its root context, and the gateway it came in by. Those without
 * either are one conversation, the one of this process.
 */
export class Conversations {
  readonly #gateways = new WeakMap<object, string>()

  of({ nonlocals = {} }: AgentAppsContext): string {
    const { rootContextId, gateway } = nonlocals
    const root = typeof rootContextId === 'string' || typeof rootContextId === 'number' ? rootContextId : ''
    const isNamed = typeof gateway === 'string'
    const channel = isNamed
      ? gateway
      : typeof gateway === 'object' && gateway !== null
        ? this.#nameOf(gateway)
        : ''
    return root === '' && channel === '' ? 'main' : JSON.stringify([root, channel])
  }

  #nameOf(gateway: object): string {
    const name = this.#gateways.get(gateway) ?? randomUUID()
    this.#gateways.set(gateway, name)
    return name
  }
}
