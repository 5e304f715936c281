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
import type { DirectServer } from './direct-server.ts'
import type { Origin } from './origin.ts'
import type { CallPermission } from './permission/permissions.ts'
import type { PermissionRules } from './permission/rules/rules.ts'
import type { BridgePrompts, BridgeResources } from './resources-and-prompts.ts'
import type { BridgeResults } from './results/results.ts'
import type { ApplyReport } from './fleet/change.ts'
import type { ServerObserver } from './upstream/connections/observed-connections.ts'
import type { ServerProcess } from './upstream/connections/processes.ts'
import type { UpstreamStatus } from './upstream/upstream-state.ts'
import type { CodeRunStart, JournaledCodeRun } from './journal/events/code-journal.ts'
import { Redaction } from './journal/redaction/redaction.ts'
import { OpenBridge } from './open-bridge.ts'
import type { BridgePins } from './tool-pins.ts'
import { isJsonObject } from '@toolbridge/client/internal'

/** Many servers as one set of tools. Closed by its opener. */
export interface Bridge extends AsyncDisposable {
  /** All tools, sorted by name. One stable array, changed in place. */
  readonly tools: readonly BridgeTool[]
  /** Resources of all servers. */
  readonly resources: BridgeResources
  /** Prompts of all servers. */
  readonly prompts: BridgePrompts
  /** Definitions of tools as they were approved, compared with the current ones. */
  readonly pins: BridgePins
  /** Processing of results, and access to those that were too large to return. */
  readonly results: BridgeResults
  /** Finds a tool by its public name or its `mcp://` URI. */
  tool(name: string): BridgeTool | undefined
  /**
   * Finds a tool by its public name or its `mcp://` URI, waiting for servers that are starting and could have it. Servers
   * that start on first use and could have it are started.
   */
  findTool(name: string, options?: FindToolOptions): Promise<BridgeTool | undefined>
  /**
   * Calls a tool. A failure that the tool itself reports is a result. If the tool is unknown and a server that may have it
   * by its name is failed or down, rejects with an `McpError` that says why that server is not running. Rejects with a `DeniedError`, an `McpError`, an
   * `UnknownToolError`, a `ConfigError` when the server must be started and its definition is invalid, the signal's reason,
   * or a `TypeError` when the arguments cannot be written as JSON.
   *
   * @example
   * ```ts
   * const result = await bridge.call('hello__hello', { name: 'Ada' }, { timeoutMs: 10_000 })
   * console.log(result.content) // [ { type: 'text', text: 'Hello, Ada!' } ]
   * ```
   */
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallToolResult>
  /**
   * What rules and kept approvals say about a call, without making it or asking anybody. A call that is allowed may still
   * be asked about, if the tool has changed or the arguments name a control file. Resolves with undefined if there is no
   * such tool.
   */
  permissionFor(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: Pick<CallOptions, 'origin'>,
  ): Promise<CallPermission | undefined>
  /** The tools that may not be called whatever the arguments are: the rule or mode that denies each, by name. */
  deniedTools(options?: Pick<CallOptions, 'origin'>): ReadonlyMap<string, string>
  /**
   * Writes the start of a run of code into the journal; write its end with `finished`. Calls that the code makes have the
   * id of the run as `parent`.
   */
  startCodeRun(run?: CodeRunStart): JournaledCodeRun
  /** Searches names, titles, descriptions and arguments of tools. */
  searchTools(query: string, options?: SearchToolsOptions): ToolMatches
  /** Tools in the form of a model provider. Tools that it would refuse are left out, with a diagnostic. */
  toolsFor(profile: ProfileName): ModelTools
  /** One tool in the form of a model provider. */
  toolFor(profile: ProfileName, tool: BridgeTool): ModelTool | QuarantinedTool
  /** Status of every server, sorted by name. */
  status(): readonly UpstreamStatus[]
  /** Every server process, including those that are stopping. */
  processes(): readonly ServerProcess[]
  /**
   * Replaces the server definitions: stops removed servers, starts new, changed and failed ones. A replaced server serves
   * until its successor is ready, and continues if that fails (`failedReplacement` of its status). With
   * `replace: 'stop-first'` it is stopped first, and calls wait. Resolves when all starts are done. A server with calls in flight is stopped
   * when they have ended; `apply` does not wait for that.
   *
   * If a required server has to start, nothing changes until it is ready; if it fails, `apply` rejects and nothing changes.
   * A newer `apply` supersedes an older one, which then resolves with `superseded: true`.
   */
  apply(servers: readonly ServerSpec[], options?: ApplyOptions): Promise<ApplyReport>
  /**
   * Reads the definitions again from their source and applies them. When that fails, nothing changes. A running server
   * whose entry is invalid keeps its previous definition.
   */
  reload(options?: ApplyOptions): Promise<ApplyReport>
  /** Reloads on change until disposed or the bridge is closed. Failures become diagnostics. */
  watch(options?: WatchOptions): Disposable
  /**
   * Starts a server that is not running: failed, down, or waiting for a sign-in. Resolves with its new status; undefined
   * when there is no such server. Aborting ends only the wait.
   */
  retry(server: string, options?: ApplyOptions): Promise<UpstreamStatus | undefined>
  /**
   * Starts a server again with the definition that was applied last, running or not. The old one serves until the new one
   * is ready. Resolves with the new status; undefined when there is no such server.
   */
  restart(server: string, options?: ApplyOptions): Promise<UpstreamStatus | undefined>
  /**
   * A running server for requests in its own names and without rules, on behalf of the bridge's own origin. Undefined if
   * there is no such server or it does not run.
   */
  direct(server: string): DirectServer | undefined
  /**
   * Observes the messages and the standard error of a server: of all connections that are open, from their last lines on, and of
   * those that open until it is disposed. Connections that are not observed are not slowed down.
   */
  observe(server: string, observer: ServerObserver): Disposable
  /** Closes the connections that belong to one origin; its next call opens new ones. */
  releaseOrigin(origin: Origin): Promise<void>
  /**
   * Replaces the roots and notifies the servers whose permitted roots change. Throws a `TypeError` if a URI is not a `file://` URL, and if the bridge
   * was opened without roots, because then the capability was not declared.
   */
  setRoots(roots: readonly Root[]): void
  /**
   * Replaces the permission rules for calls that begin from now on. Throws a `ConfigError`, and changes nothing, if they are
   * invalid.
   */
  setPermissions(rules: PermissionRules): void
  /** Stops every server and withdraws open questions; calls in flight fail. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens a bridge. Starts all enabled servers in parallel, except those that start on first use, each with its own timeout.
 * Resolves when each is ready or failed. Rejects when a required one failed, after stopping the others, and with a
 * `ConfigError` for invalid permission rules and invalid inline definitions.
 *
 * @example
 * ```ts
 * import { configFile, localAuthority, openBridge } from '@toolbridge/bridge'
 *
 * const bridge = await openBridge({
 *   servers: configFile('mcp.json', { kind: 'user' }),
 *   authority: localAuthority(),
 *   permissions: { mode: 'allow' },
 * })
 * console.log(bridge.tools.map((tool) => tool.name)) // [ 'hello__hello', 'hello__repeat' ]
 * await bridge.close()
 * ```
 */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  requireDefinitions(options.servers)
  return openRedactedBridge(options, new Redaction())
}

/** In JavaScript it is easy to pass the parsed file instead of definitions. */
function requireDefinitions(servers: unknown): void {
  const isGiven = Array.isArray(servers)
    ? servers.every((spec: unknown) => isJsonObject(spec) && 'transport' in spec)
    : isJsonObject(servers) && !('mcpServers' in servers)
  if (!isGiven)
    throw new TypeError(
      'servers are definitions by name or as readConfig returns them, or a source such as configFile',
    )
}

/** Opens a bridge with a given redaction, for callers that share it. */
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
