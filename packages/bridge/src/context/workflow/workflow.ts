import { namingPolicy } from '@toolbridge/client/internal'
import type { McpTransport } from '@toolbridge/client'
import type { ToolSet } from 'ai'
import { pointerTo } from '../../config/spec/issue.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import { eventStream } from '../../journal/sinks/event-stream.ts'
import { createSchemaChecks } from '../../catalog/schema/schema-checks.ts'
import { systemClock } from '../../async/clock.ts'
import {
  type EnteredContext,
  type ExecutionPrincipal,
  getExecutionContext,
  givenOrActive,
} from '../execution-context.ts'
import { conversationOf, NodeSetup, type SetupServices } from './node-setup.ts'
import { quotedList, printNotice } from '../notice.ts'
import { WorkflowTools } from './workflow-tools.ts'
import { readToolkits } from '../toolkits/parse-toolkits.ts'
import type { ToolkitSources } from '../toolkits/resolve-toolkits.ts'
import { readSecretFile, type SecretFile } from '../toolkits/secret-file.ts'
import { KnownTools } from '../toolkits/known-tools.ts'
import { ToolkitClients, type ClientRequest } from '../toolkits/toolkit-clients.ts'
import { authorityOf, type LocalAuthority, openToolkit, principalOf } from '../toolkits/toolkit-opening.ts'
import {
  type MCPNodeReport,
  type MCPStatus,
  type SetupMCPOptions,
  shareReport,
  type WorkflowMCP,
  type WorkflowMCPOptions,
} from './workflow-options.ts'

export type { MCPNotice, OnNotice } from '../notice.ts'
export type { BoundToolkit, FailedToolkit, TransportProvider } from '../toolkits/resolve-toolkits.ts'
export { ToolManager, type ToolManagerOptions } from './tool-manager.ts'
export type { LocalAuthority, ToolkitClientOptions, ToolkitHostOptions } from '../toolkits/toolkit-opening.ts'
export type {
  MCPNodeReport,
  MCPStatus,
  SetupMCPOptions,
  WorkflowMCP,
  WorkflowMCPOptions,
} from './workflow-options.ts'

/**
 * Creates the MCP functions of a workflow host. It keeps one client per workflow, principal and definition until the
 * client is idle or cleared, or the host is closed.
 */
export function createWorkflowMCP(options: WorkflowMCPOptions = {}): WorkflowMCP {
  const host = new WorkflowHost(options)
  return {
    setupMCPForNode: (...request) => host.setup(...request),
    reportOf: (tools) => host.reportOf(tools),
    getMCPStatus: (configPath) => host.status(configPath),
    logMCPStatus: (configPath) => host.logStatus(configPath),
    clearWorkflowMCPClientCache: (workflowId) => host.clear((scope) => scope === workflowId),
    clearMCPClientCache: (principal) => host.clear(() => true, principal),
    notify: host.notify,
    [shareReport]: (from, to) => host.shareReport(from, to),
    close: () => host.close(),
    [Symbol.asyncDispose]: () => host.close(),
  }
}

/** Raw names; tools with the same name are left out. */
const workflowNaming = { separator: 'none', sanitize: 'none', onCollision: 'error' } as const

class WorkflowHost {
  readonly notify: SetupServices['notify']
  readonly #options: WorkflowMCPOptions
  readonly #clients: ToolkitClients
  readonly #services: SetupServices
  readonly #reports = new WeakMap<ToolSet, MCPNodeReport>()
  /** The servers that each invocation uses. */
  readonly #invocations = new WeakMap<EnteredContext, Set<string>>()
  readonly #links = new WeakMap<McpTransport, number>()
  #linkCount = 0

  constructor(options: WorkflowMCPOptions) {
    const { idleMs = 300_000, maxClients, clock = systemClock, profile = 'generic' } = options
    this.#options = options
    this.notify = options.onNotice ?? printNotice
    const naming = namingPolicy({ ...workflowNaming, ...options.naming })
    this.#clients = new ToolkitClients({
      idleMs,
      maxClients,
      clock,
      open: (wanted, signal, use) =>
        openToolkit(wanted, options, { naming, conversation: conversationOf(wanted.scope), signal, use }),
    })
    this.#services = {
      clients: this.#clients,
      known: new KnownTools(),
      tools: new WorkflowTools({ naming, profile, checks: createSchemaChecks() }),
      notify: this.notify,
      maxServers: options.maxServers ?? 16,
    }
  }

  async setup(
    toolNames: readonly string[] | null | undefined,
    workflowId: string,
    configPath: string | undefined,
    options: SetupMCPOptions = {},
  ): Promise<ToolSet> {
    const context = givenOrActive(options.context)
    const principal = principalOf(context, this.#options)
    const setup = new NodeSetup(this.#services, {
      ...options,
      names: toolNames ?? [],
      workflowId,
      principal,
      secrets: context?.secrets,
      sources: this.#sources(context, principal, configPath, options),
      used: this.#usedBy(context),
      liveSpec: (name, link) => this.#liveSpec(name, link),
      journal: eventStream(this.#options.clientOptions?.(principal) ?? {}),
    })
    const { tools, report } = await setup.run()
    this.#reports.set(tools, report)
    return tools
  }

  reportOf(tools: ToolSet): MCPNodeReport | undefined {
    return this.#reports.get(tools)
  }

  shareReport(from: ToolSet, to: ToolSet): void {
    const report = this.#reports.get(from)
    if (report !== undefined) this.#reports.set(to, report)
  }

  async status(configPath: string | undefined): Promise<MCPStatus> {
    const context = getExecutionContext()
    const principal = principalOf(context, this.#options)
    const { toolkits, file } = this.#sources(context, principal, configPath, {})
    const read = await file?.()
    const inFile = read?.servers.map(({ name }) => name) ?? []
    const availableServers = [...new Set([...Object.keys(toolkits), ...inFile])]
    return {
      configured: availableServers.length > 0,
      availableServers,
      cachedClients: this.#clients.list.filter(isOf(context?.principal)).length,
      configPath: read?.path,
    }
  }

  async logStatus(configPath: string | undefined): Promise<void> {
    const { availableServers, cachedClients, configPath: file } = await this.status(configPath)
    const where = file === undefined ? '' : `; file: ${file}`
    const message = `MCP toolkits: ${quotedList(availableServers)}; open clients: ${cachedClients}${where}`
    this.notify({ severity: 'info', code: 'mcp_status', message, available: availableServers })
  }

  async clear(
    isMeant: (scope: string) => boolean,
    principal: ExecutionPrincipal | undefined = getExecutionContext()?.principal,
  ): Promise<void> {
    const isOwn = isOf(principal)
    await this.#clients.clear((client) => isMeant(client.scope) && isOwn(client))
  }

  close(): Promise<void> {
    return this.#clients.close()
  }

  /** A session has only the toolkits of its context and of the provider. */
  #sources(
    context: EnteredContext | undefined,
    principal: ExecutionPrincipal,
    configPath: string | undefined,
    { toolkits, transportProvider, signal }: SetupMCPOptions,
  ): ToolkitSources {
    const carried = toolkits === undefined ? (context?.mcp?.toolkits ?? {}) : readToolkits(toolkits)
    const authority = authorityOf(principal, this.#options)
    const file =
      authority.kind === 'local' ? this.#fileReader(principal, authority, configPath, signal) : undefined
    return { toolkits: carried, provider: transportProvider, file }
  }

  #fileReader(
    principal: ExecutionPrincipal,
    authority: LocalAuthority,
    configPath: string | undefined,
    signal: AbortSignal | undefined,
  ): () => Promise<SecretFile> {
    const { trust } = this.#options.clientOptions?.(principal) ?? {}
    let reading: Promise<SecretFile> | undefined
    return () => {
      reading ??= readSecretFile({
        configPath,
        signal,
        authority,
        // Without a trust store the working folder is as trusted as the code of the host.
        unnamed: trust === undefined ? 'code' : 'project',
      })
      return reading
    }
  }

  #usedBy(context: EnteredContext | undefined): Set<string> {
    const used = (context && this.#invocations.get(context)) ?? new Set()
    if (context !== undefined) this.#invocations.set(context, used)
    return used
  }

  /** A placeholder definition for a live transport. Its URL is unique and never opened. */
  #liveSpec(name: string, link: McpTransport): ServerSpec {
    const number = this.#links.get(link) ?? ++this.#linkCount
    this.#links.set(link, number)
    const source = { file: 'execution context', pointer: pointerTo('/mcp/toolkits', name) }
    const url = `http://link-${number}.invalid/`
    return { name, transport: 'http', url, headers: {}, enabled: true, required: false, source }
  }
}

function isOf(owner: ExecutionPrincipal | undefined): (client: ClientRequest) => boolean {
  if (owner === undefined) return () => true
  const { id, kind } = owner
  return ({ principal }) => principal.id === id && principal.kind === kind
}
