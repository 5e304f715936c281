import { randomUUID } from 'node:crypto'
import type { CallToolResult, JsonSchema } from '@toolbridge/client'
import { parseAnswer } from '../../elicitation/parse-answer.ts'
import type { Answer, Answerer, Question } from '../../elicitation/question.ts'
import type { Origin } from '../../origin.ts'

/** The execution context of a skill in Agent Apps, reduced to what MCP needs. */
export interface AgentAppsContext {
  /** Values that the pipeline passes on: the conversation and the gateway it came from. */
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
  /** The skill whose metadata is processed. */
  readonly target?: {
    readonly metadata?: { readonly mcp?: unknown }
    readonly config?: Record<string, unknown>
  }
  readonly signal?: AbortSignal
}

/** A tool of a server in the form of Agent Apps. It has `params`, which makes it public. */
export interface AgentAppsTool {
  /** Server and tool in lower case; other characters than letters and digits become `-`. */
  readonly name: string
  /** `mcp://server/tool`, with the tool in the same form as in `name`. */
  readonly src: string
  readonly description?: string
  readonly params: JsonSchema
  /** Calls the tool for the context passed to it. */
  readonly fn: (
    context: AgentAppsContext,
    args?: Readonly<Record<string, unknown>>,
  ) => Promise<CallToolResult>
}

/** Brings a question of a server to the conversation of the call. */
export type GatewayReceive = (
  question: Question,
  context: AgentAppsContext,
  options: { readonly signal: AbortSignal },
) => Promise<Answer>

/** Asks with the skill `gateway-receive`, which runs in the caller's scope and therefore on the caller's channel. */
export const invokeGatewayReceive: GatewayReceive = async (question, { globals, nonlocals = {} }) => {
  const { origin: _origin, ...shown } = question
  return readAnswer(await globals.runtime.invoke('gateway-receive', { ...shown }, { nonlocals }))
}

/** Parses the result of a skill as an answer. */
function readAnswer(value: unknown): Answer {
  const answer = parseAnswer(value)
  if (answer === undefined) throw new TypeError('the skill gateway-receive returned no answer')
  return answer
}

/** A conversation of a pipeline, without its principal. */
export type Conversation = Omit<Origin, 'principal'>

/** Identifies conversations and channels. Whatever it keeps is held weakly. */
export class Conversations {
  readonly #names = new WeakMap<object, string>()
  readonly #answerers = new WeakMap<AgentAppsContext, Answerer>()

  /** The conversation named by the root context and the gateway of a pipeline; without a root context, one of its own. */
  of(context: AgentAppsContext): Conversation {
    const { rootContextId: root, gateway = '' } = context.nonlocals ?? {}
    const isNamed = (typeof root === 'string' && root !== '') || typeof root === 'number'
    if (!isNamed) return { conversation: this.#nameOf(context), isAnonymous: true }
    const isObject = typeof gateway === 'object' && gateway !== null
    const channel = isObject ? this.#nameOf(gateway) : typeof gateway === 'string' ? gateway : ''
    return { conversation: JSON.stringify([root, channel]) }
  }

  /** The answerer of a context, which asks in it. The same for all calls of the context. */
  answererOf(context: AgentAppsContext, receive: GatewayReceive): Answerer {
    const known = this.#answerers.get(context)
    if (known !== undefined) return known
    const answerer: Answerer = { ask: (question, options) => receive(question, context, options) }
    this.#answerers.set(context, answerer)
    return answerer
  }

  #nameOf(subject: object): string {
    const name = this.#names.get(subject) ?? randomUUID()
    this.#names.set(subject, name)
    return name
  }
}
