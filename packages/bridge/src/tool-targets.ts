import type { ToolTarget } from './call.ts'
import type { BridgeTool } from './catalog/catalog.ts'
import type { ServerSpec } from './config/spec/server-spec.ts'
import type { ToolPermission } from './permission/tool-permission.ts'
import type { Results } from './results/results.ts'
import type { Upstream } from './upstream/upstream.ts'

export interface ToolTargetsOptions {
  readonly tools: () => readonly BridgeTool[]
  readonly toolOf: (name: string) => BridgeTool | undefined
  readonly upstreamOf: (server: string) => Upstream | undefined
  readonly permissionOf: (tool: BridgeTool, spec: ServerSpec) => ToolPermission
  readonly results: Results
  /** Timeout of calls where the definition sets none. */
  readonly callTimeoutMs: number
}

/** Call targets by public tool name, made on the first call of each tool. */
export class ToolTargets {
  readonly #options: ToolTargetsOptions
  readonly #targets = new Map<string, ToolTarget>()
  /** Consecutive calls mostly use the same tool. */
  #latest: ToolTarget | undefined
  #denied: { readonly principal: string; readonly reasons: ReadonlyMap<string, string> } | undefined

  constructor(options: ToolTargetsOptions) {
    this.#options = options
  }

  find(name: string): ToolTarget | undefined {
    if (this.#latest?.tool.name !== name) this.#latest = this.#targets.get(name) ?? this.#open(name)
    return this.#latest
  }

  /** The rules that deny tools whatever the arguments are, by name. Computed once for consecutive calls of a principal. */
  deniedTo(principal: string): ReadonlyMap<string, string> {
    if (this.#denied?.principal !== principal)
      this.#denied = { principal, reasons: new Map(this.#reasonsAgainst(principal)) }
    return this.#denied.reasons
  }

  /** Forgets all targets. To be called when the tools or rules change. */
  forget(): void {
    this.#targets.clear()
    this.#latest = undefined
    this.#denied = undefined
  }

  #reasonsAgainst(principal: string): readonly (readonly [name: string, reason: string])[] {
    return this.#options.tools().flatMap(({ name }) => {
      // A rule with conditions does not hold for a call without arguments.
      const decision = this.find(name)?.permission.decide({}, principal)
      return decision?.verdict === 'deny' ? [[name, decision.reason] as const] : []
    })
  }

  #open(name: string): ToolTarget | undefined {
    const { toolOf, upstreamOf, permissionOf, results, callTimeoutMs } = this.#options
    const tool = toolOf(name)
    const upstream = tool && upstreamOf(tool.server)
    if (tool === undefined || upstream === undefined) return undefined
    const { spec } = upstream
    const timeoutMs = spec.timeouts?.callMs ?? callTimeoutMs
    const target = {
      tool,
      upstream,
      permission: permissionOf(tool, spec),
      timeoutMs,
      request: { timeoutMs },
      results: results.stepFor(spec),
    }
    this.#targets.set(name, target)
    return target
  }
}
