import type { CallToolResult, Root } from '@toolbridge/client'
import type { ApplyOptions, BridgeOptions, FindToolOptions, WatchOptions } from './bridge-options.ts'
import type { CallOptions } from './call.ts'
import type { BridgeTool } from './catalog/catalog.ts'
import type { QuarantinedTool } from './catalog/lowering/lower-tool.ts'
import type { ProfileName } from './catalog/profiles/profile.ts'
import type { ToolMatches } from './catalog/search/tool-index.ts'
import type { SearchToolsOptions } from './catalog/search/tool-search.ts'
import type { ModelTool, ModelTools } from './catalog/tool-compiler.ts'
import type { ServerSpec } from './config/spec/server-spec.ts'
import type { Origin } from './origin.ts'
import type { BridgePrompts, BridgeResources } from './resources-and-prompts.ts'
import type { BridgeResults } from './results/results.ts'
import type { ApplyReport } from './fleet/fleet.ts'
import type { ServerProcess } from './upstream/connections/processes.ts'
import type { UpstreamStatus } from './upstream/upstream-state.ts'
import { Redaction } from './journal/redaction/redaction.ts'
import { OpenBridge } from './open-bridge.ts'
import { isJsonObject } from '@toolbridge/client/internal'

/** Many servers as one set of tools. Whoever opened it closes it. */
export interface Bridge extends AsyncDisposable {
  /** One stable array, changed in place, sorted by name. */
  readonly tools: readonly BridgeTool[]
  readonly resources: BridgeResources
  readonly prompts: BridgePrompts
  /** What becomes of results, and the way to those that were too large to hand over. */
  readonly results: BridgeResults
  /** Finds a tool by its public name or its `mcp://` address. */
  tool(name: string): BridgeTool | undefined
  /**
   * Finds a tool by its public name or its `mcp://` address, as soon as it is listed; undefined once no server is starting
   * that could have it. Servers that wait to be needed and could have it are started; others are not waited for.
   */
  findTool(name: string, options?: FindToolOptions): Promise<BridgeTool | undefined>
  /**
   * Calls a tool. A failure that the tool itself reports is a result; rejects with a `DeniedError`, an `McpError`, a
   * `ConfigError` when its server has to be started and its definition cannot be (any more), the signal's reason, or a
   * `TypeError` when the arguments cannot be written as JSON (a BigInt, a cycle); with an `UnknownToolError` when no server
   * has such a tool.
   */
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallToolResult>
  /** The tools that fit a query best, by words of their names, titles, descriptions and arguments. */
  searchTools(query: string, options?: SearchToolsOptions): ToolMatches
  /** The tools as models of a provider take them. One that it would refuse is put aside, with a diagnostic. */
  toolsFor(profile: ProfileName): ModelTools
  /** The same for one tool of the bridge. */
  toolFor(profile: ProfileName, tool: BridgeTool): ModelTool | QuarantinedTool
  /** Every server, sorted by name. */
  status(): readonly UpstreamStatus[]
  /** Every process that runs a server, those included that are on their way out. */
  processes(): readonly ServerProcess[]
  /**
   * Makes these the servers: stops what is gone, starts what is new, changed or failed before, and lets each take its place
   * as soon as it is ready, or failed; until then the one it replaces goes on. Resolves when all have. A server with calls
   * in flight is stopped when they are over; `apply` does not wait for those.
   *
   * When a server that is to start is required, nothing changes before the required ones are ready, and nothing at all
   * when one of them fails, which rejects. A newer `apply` takes over at once: it ends the starts that are not wanted any
   * more, and the older one resolves with a report that says so.
   */
  apply(servers: readonly ServerSpec[], options?: ApplyOptions): Promise<ApplyReport>
  /** Reads the definitions again from where they came and applies them. When they cannot be read, all stays as it is. */
  reload(options?: ApplyOptions): Promise<ApplyReport>
  /** Reloads whenever the definitions change, until it is disposed of or the bridge is closed. Failures are diagnostics. */
  watch(options?: WatchOptions): Disposable
  /**
   * Starts a server anew that is not there: one that failed, is down, or wants somebody to sign in who has. Resolves with
   * what became of it; undefined when there is no such server. Aborting ends the wait and nothing else.
   */
  retry(server: string, options?: ApplyOptions): Promise<UpstreamStatus | undefined>
  /**
   * Starts a server again with the same definition, running or not. The old one serves until the new one is ready or
   * failed. Resolves with the new status; undefined when there is no such server.
   */
  restart(server: string, options?: ApplyOptions): Promise<UpstreamStatus | undefined>
  /** Closes the connections that belong to one origin; its next call opens new ones. */
  releaseOrigin(origin: Origin): Promise<void>
  /**
   * Makes these the roots and tells every server that was told of roots. Throws a `TypeError` for what is no `file://`
   * address, and when the bridge was opened without roots: its servers do not know of any.
   */
  setRoots(roots: readonly Root[]): void
  /** Stops every server and withdraws every question; calls in flight fail. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts every enabled server that does not wait to be needed, in parallel, each with its own deadline, and resolves when
 * each is ready or failed. Rejects when a required one failed, after stopping the others, and with a `ConfigError` for
 * permission rules that are none.
 */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  requireDefinitions(options.servers)
  return openRedactedBridge(options, new Redaction())
}

/** Without a compiler it is easy to hand in what stands in a file, and it would be taken for servers that are off. */
function requireDefinitions(servers: unknown): void {
  const areRead =
    Array.isArray(servers) && servers.every((spec: unknown) => isJsonObject(spec) && 'transport' in spec)
  const isSource = isJsonObject(servers) && typeof servers['read'] === 'function'
  if (!areRead && !isSource)
    throw new TypeError('servers are definitions as readConfig returns them, or a source such as configFile')
}

/** The same, with what it must not tell, for others who tell of it. */
export async function openRedactedBridge(options: BridgeOptions, redaction: Redaction): Promise<Bridge> {
  const bridge = new OpenBridge(options, redaction)
  try {
    await bridge.reload(options)
    return bridge
  } catch (error) {
    await bridge.close()
    throw error
  }
}
