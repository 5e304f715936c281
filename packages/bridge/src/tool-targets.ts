import type { ToolTarget } from './call.ts'
import type { BridgeTool } from './catalog/catalog.ts'
import type { ServerSpec } from './config/spec/server-spec.ts'
import type { ToolPermission } from './permission/tool-permission.ts'
import type { Results } from './results/results.ts'
import type { Upstream } from './upstream/upstream.ts'

export interface ToolTargetsOptions {
  readonly toolOf: (name: string) => BridgeTool | undefined
  readonly upstreamOf: (server: string) => Upstream | undefined
  readonly permissionOf: (tool: BridgeTool, spec: ServerSpec) => ToolPermission
  readonly results: Results
  /** How long a server may be silent whose definition does not say. */
  readonly callTimeoutMs: number
}

/** The way to each tool by its public name, found out with its first call. */
export class ToolTargets {
  readonly #options: ToolTargetsOptions
  readonly #routes = new Map<string, ToolTarget>()
  /** Most calls are of the tool that the one before was of. */
  #latest: ToolTarget | undefined

  constructor(options: ToolTargetsOptions) {
    this.#options = options
  }

  find(name: string): ToolTarget | undefined {
    if (this.#latest?.tool.name !== name) this.#latest = this.#routes.get(name) ?? this.#open(name)
    return this.#latest
  }

  /** The tools are others now. */
  forget(): void {
    this.#routes.clear()
    this.#latest = undefined
  }

  #open(name: string): ToolTarget | undefined {
    const { toolOf, upstreamOf, permissionOf, results, callTimeoutMs } = this.#options
    const tool = toolOf(name)
    const upstream = tool && upstreamOf(tool.server)
    if (tool === undefined || upstream === undefined) return undefined
    const { spec } = upstream
    const timeoutMs = spec.timeouts?.callMs ?? callTimeoutMs
    const route = {
      tool,
      upstream,
      permission: permissionOf(tool, spec),
      timeoutMs,
      request: { timeoutMs },
      results: results.stepFor(spec.policy),
    }
    this.#routes.set(name, route)
    return route
  }
}
