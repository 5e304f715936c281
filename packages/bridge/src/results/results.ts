import { type CallToolResult, McpError } from '@toolbridge/client'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { Policy } from '../config/spec/policy.ts'
import type { Origin } from '../origin.ts'
import { checkedOutput, errorResult } from './checked-output.ts'
import { resultChoices, type ResultPolicy, resultPolicy } from './result-policy.ts'
import { type ResultExcerpt, type ResultRange, ResultStore } from './result-store.ts'
import type { SchemaChecks } from '../catalog/schema/schema-checks.ts'
import { withinSize } from './within-size.ts'

export interface ReadResultOptions extends ResultRange {
  /** Who reads; the bridge's own origin unless told. Only what the same principal's calls brought can be read. */
  readonly origin?: Origin
}

/** The results of calls: what becomes of them, and those that were too large to hand over. */
export interface BridgeResults {
  /** What holds unless the definition of a server says otherwise. */
  readonly policy: ResultPolicy
  /** The policy by which a result that a call resolved with is to be read. */
  policyOf(result: CallToolResult): ResultPolicy
  /** Reads a stretch of a kept result; throws an `McpError` for one that is not kept (any more). */
  read(uri: string, options?: ReadResultOptions): ResultExcerpt
}

/** The last step of the calls of one server. */
export interface ResultStep {
  /** What the caller gets. */
  finished(result: CallToolResult, tool: BridgeTool, origin: Origin): CallToolResult
  /** A failure of the link as a result, where the policy says so; undefined where it is to be thrown. */
  failure(error: unknown): CallToolResult | undefined
}

/** Finishes the results of a bridge, and keeps those that are too large. */
export class Results implements BridgeResults {
  readonly policy: ResultPolicy
  readonly #choices: Partial<ResultPolicy>
  readonly #store: ResultStore
  readonly #checks: SchemaChecks
  readonly #origin: Origin
  readonly #policies = new WeakMap<CallToolResult, ResultPolicy>()

  /** What is chosen goes before what the definitions of servers say. */
  constructor(choices: Partial<ResultPolicy>, checks: SchemaChecks, origin: Origin) {
    this.policy = resultPolicy(choices)
    this.#choices = choices
    this.#store = new ResultStore(this.policy.keptCharacters)
    this.#checks = checks
    this.#origin = origin
  }

  /** The last step for servers of a policy; undefined when their results pass as they are. */
  stepFor(policy: Partial<Policy> | undefined): ResultStep | undefined {
    const own = policy === undefined ? {} : resultChoices(policy)
    const whole = resultPolicy({ ...own, ...this.#choices })
    if (isIdle(whole, this.policy)) return undefined
    return {
      finished: (result, tool, origin) => this.#finished(result, tool, origin, whole),
      failure: (error) => this.#failure(error, whole),
    }
  }

  policyOf(result: CallToolResult): ResultPolicy {
    return this.#policies.get(result) ?? this.policy
  }

  read(uri: string, { origin = this.#origin, ...range }: ReadResultOptions = {}): ResultExcerpt {
    return this.#store.read(uri, range, origin.principal)
  }

  #finished(
    result: CallToolResult,
    { name, definition }: BridgeTool,
    { principal }: Origin,
    policy: ResultPolicy,
  ): CallToolResult {
    const checked =
      policy.structured === 'validate' ? checkedOutput(result, definition, name, this.#checks) : result
    const sized = withinSize(checked, { policy, store: this.#store, tool: name, principal })
    this.#policies.set(sized, policy)
    return sized
  }

  #failure(error: unknown, policy: ResultPolicy): CallToolResult | undefined {
    if (policy.protocolError === 'throw' || !(error instanceof McpError)) return undefined
    const failure = errorResult(`MCP tool failed: ${error.message}`)
    this.#policies.set(failure, policy)
    return failure
  }
}

/** Nothing is done with results, and they are read as all others are. */
function isIdle(policy: ResultPolicy, usual: ResultPolicy): boolean {
  const { structured, protocolError, maxCharacters, maxMediaCharacters } = policy
  const hasLimit = Number.isFinite(maxCharacters) || Number.isFinite(maxMediaCharacters)
  const readAlike = (['text', 'unknown', 'media', 'structured'] as const).every(
    (key) => policy[key] === usual[key],
  )
  return structured !== 'validate' && protocolError === 'throw' && !hasLimit && readAlike
}
