import { type CallToolResult, McpError } from '@toolbridge/client'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import { type Policy, setPolicies, type SpecPolicies } from '../config/spec/policy.ts'
import type { Origin } from '../origin.ts'
import { checkedOutput, errorResult } from './checked-output.ts'
import { resultChoices, type ResultPolicy, resultPolicy } from './result-policy.ts'
import { type ResultExcerpt, type ResultRange, ResultStore } from './result-store.ts'
import type { SchemaChecks } from '../catalog/schema/schema-checks.ts'
import { withinSize } from './within-size.ts'

/** Options of `BridgeResults.read`. */
export interface ReadResultOptions extends ResultRange {
  /** The reader; only results of its principal can be read. Default: the origin of the bridge. */
  readonly origin?: Origin
}

/** The policy of results, and the stored results. */
export interface BridgeResults {
  /** The policy of servers whose definitions set none. */
  readonly policy: ResultPolicy
  /** Returns the policy that applies to a result of a call. */
  policyOf(result: CallToolResult): ResultPolicy
  /** Reads a range of a stored result. Throws an `McpError` if it is unknown or was dropped. */
  read(uri: string, options?: ReadResultOptions): ResultExcerpt
}

/** The result processing of one server. */
export interface ResultStep {
  /** Returns the processed result. */
  finished(result: CallToolResult, tool: BridgeTool, origin: Origin): CallToolResult
  /** Converts a transport error to a result; undefined if the policy says to throw it. */
  failure(error: unknown): CallToolResult | undefined
}

/** Processes the results of a bridge and stores large ones. */
export class Results implements BridgeResults {
  readonly policy: ResultPolicy
  readonly #choices: Partial<ResultPolicy>
  readonly #ofBridge: Partial<Policy>
  readonly #store: ResultStore
  readonly #checks: SchemaChecks
  readonly #origin: Origin
  readonly #policies = new WeakMap<CallToolResult, ResultPolicy>()

  /** `choices` take precedence over the definitions of servers. */
  constructor(
    choices: Partial<ResultPolicy>,
    checks: SchemaChecks,
    origin: Origin,
    ofBridge: Partial<Policy> = {},
  ) {
    this.#ofBridge = ofBridge
    this.policy = resultPolicy({ ...resultChoices(ofBridge), ...choices })
    this.#choices = choices
    this.#store = new ResultStore(this.policy.keptCharacters)
    this.#checks = checks
    this.#origin = origin
  }

  /** Returns the processing for a definition; undefined if results pass unchanged. */
  stepFor(spec: SpecPolicies): ResultStep | undefined {
    const own = resultChoices(setPolicies(spec, this.#ofBridge))
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

/** Returns whether the policy changes nothing and equals the policy of the bridge. */
function isIdle(policy: ResultPolicy, usual: ResultPolicy): boolean {
  const { structured, protocolError, maxCharacters, maxMediaCharacters } = policy
  const hasLimit = Number.isFinite(maxCharacters) || Number.isFinite(maxMediaCharacters)
  const readAlike = (['text', 'unknown', 'media', 'structured'] as const).every(
    (key) => policy[key] === usual[key],
  )
  return structured !== 'validate' && protocolError === 'throw' && !hasLimit && readAlike
}
