import { type CallToolResult, McpError } from '@toolbridge/client'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { Origin } from '../elicitation/question.ts'
import { checkedOutput, failed } from './output.ts'
import { type ResultPolicy, resultPolicy } from './policy.ts'
import { type ResultExcerpt, type ResultRange, ResultStore } from './result-store.ts'
import type { SchemaChecks } from './schema-checks.ts'
import { withinSize } from './size.ts'

export interface ReadResultOptions extends ResultRange {
  /** Who reads; the bridge's own origin unless told. Only what the same principal's calls brought can be read. */
  readonly origin?: Origin
}

/** The results of calls: what becomes of them, and those that were too large to hand over. */
export interface BridgeResults {
  readonly policy: ResultPolicy
  /** Reads a stretch of a kept result; throws an `McpError` for one that is not kept (any more). */
  read(uri: string, options?: ReadResultOptions): ResultExcerpt
}

/** The last step of a call. */
export class Results implements BridgeResults {
  readonly policy: ResultPolicy
  readonly #store: ResultStore
  readonly #checks: SchemaChecks
  readonly #origin: Origin

  constructor(choices: Partial<ResultPolicy> | undefined, checks: SchemaChecks, origin: Origin) {
    this.policy = resultPolicy(choices)
    this.#store = new ResultStore(this.policy.keptCharacters)
    this.#checks = checks
    this.#origin = origin
  }

  /** Results pass as they are. */
  get isIdle(): boolean {
    const { structured, protocolError, maxCharacters, maxMediaCharacters } = this.policy
    const hasLimit = Number.isFinite(maxCharacters) || Number.isFinite(maxMediaCharacters)
    return structured !== 'validate' && protocolError === 'throw' && !hasLimit
  }

  /** What the caller gets. */
  finished(result: CallToolResult, { name, definition }: BridgeTool, { principal }: Origin): CallToolResult {
    const { policy } = this
    const checked =
      policy.structured === 'validate' ? checkedOutput(result, definition, name, this.#checks) : result
    return withinSize(checked, { policy, store: this.#store, tool: name, principal })
  }

  /** A failure of the link as a result, where the policy says so; undefined where it is to be thrown. */
  failure(error: unknown): CallToolResult | undefined {
    if (this.policy.protocolError === 'throw' || !(error instanceof McpError)) return undefined
    return failed(`MCP tool failed: ${error.message}`)
  }

  read(uri: string, { origin = this.#origin, ...range }: ReadResultOptions = {}): ResultExcerpt {
    return this.#store.read(uri, range, origin.principal)
  }
}
