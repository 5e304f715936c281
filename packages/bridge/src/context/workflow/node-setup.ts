import type { McpTransport } from '@toolbridge/client'
import type { ToolSet } from 'ai'
import type { Bridge } from '../../bridge.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import { createEmit, type Emit } from '../../journal/events/emit.ts'
import type { Journal } from '../../journal/events/events.ts'
import { messageOf } from '../../text/message-of.ts'
import type { ExecutionPrincipal } from '../execution-context.ts'
import { quotedList, type MCPNotice, type OnNotice } from '../notice.ts'
import {
  type BoundToolkit,
  type FailedToolkit,
  type ResolvedToolkits,
  resolveToolkits,
  type ToolkitSources,
} from '../toolkits/resolve-toolkits.ts'
import type { KnownTools } from '../toolkits/known-tools.ts'
import { type ClientRequest, type ToolkitClients, clientRequest } from '../toolkits/toolkit-clients.ts'
import { redactedBy, redactedNames } from '../toolkits/toolkit-opening.ts'
import type { MCPNodeReport, SetupMCPOptions } from './workflow-options.ts'
import type { NamedTools, UsableToolkit, WorkflowTools } from './workflow-tools.ts'

/** The services of a host that every setup shares. */
export interface SetupServices {
  readonly clients: ToolkitClients
  readonly known: KnownTools
  readonly tools: WorkflowTools
  readonly notify: OnNotice
  readonly maxServers: number
}

/** The request of one node. */
export interface SetupRequest
  extends Pick<SetupMCPOptions, 'signal' | 'answerer' | 'conversation' | 'profile' | 'only'> {
  readonly names: readonly string[]
  readonly workflowId: string
  readonly principal: ExecutionPrincipal
  /** Secrets for `${secret:…}` in definitions. */
  readonly secrets: Readonly<Record<string, string>> | undefined
  readonly sources: ToolkitSources
  /** The servers that the invocation already uses; those of this node are added. */
  readonly used: Set<string>
  readonly liveSpec: (name: string, link: McpTransport) => ServerSpec
  readonly journal: Journal | undefined
}

/** The default conversation of a workflow. */
export function conversationOf(workflowId: string): string {
  return `workflow:${workflowId}`
}

/** Sets up the tools of one node: resolves its toolkits, starts them in parallel, and reports on each. */
export class NodeSetup {
  readonly #services: SetupServices
  readonly #request: SetupRequest
  readonly #emit: Emit

  constructor(services: SetupServices, request: SetupRequest) {
    this.#services = services
    this.#request = request
    this.#emit = createEmit(request.journal)
  }

  async run(): Promise<{ readonly tools: ToolSet; readonly report: MCPNodeReport }> {
    const { names, sources, liveSpec, signal } = this.#request
    signal?.throwIfAborted()
    const resolved = await resolveToolkits(names, { sources, liveSpec, admit: (name) => this.#admit(name) })
    await this.#tellUnresolved(resolved)
    const outcomes = await Promise.all(resolved.bound.map((toolkit) => this.#start(toolkit)))
    signal?.throwIfAborted()
    const usable = outcomes.flatMap((outcome) => ('error' in outcome ? [] : [outcome]))
    const failed = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : []))
    const named = this.#services.tools.of(usable, this.#request)
    this.#tellNames(named, usable)
    const { missing, refused } = resolved
    const failedTools = [...resolved.failed, ...failed]
    return {
      tools: named.tools,
      report: { toolkits: reported(usable, named), failedTools, missing, refused },
    }
  }

  #admit(name: string): boolean {
    const { used } = this.#request
    if (used.has(name)) return true
    if (used.size >= this.#services.maxServers) return false
    used.add(name)
    return true
  }

  /** Uses the known tools, if any; else starts the server to list them. */
  async #start(toolkit: BoundToolkit): Promise<UsableToolkit | FailedToolkit> {
    const { principal, signal, workflowId, secrets } = this.#request
    const { clients, known } = this.#services
    const wanted = clientRequest(workflowId, principal, toolkit.spec, { link: toolkit.link, secrets })
    const tools = known.of(wanted, toolkit.tools)
    const use: UsableToolkit['use'] = (end, work) =>
      clients.use(wanted, end, (bridge) => {
        this.#replaceKnown(wanted, toolkit, bridge)
        return work(bridge)
      })
    const usable = { toolkit, tools, callOptions: this.#callOptions(toolkit), use }
    const open = clients.opened(wanted)
    if (toolkit.source !== 'file')
      this.#emit({ type: 'toolkit.used', workflow: workflowId, toolkit: toolkit.name })
    if (open !== undefined) {
      this.#replaceKnown(wanted, toolkit, open)
      return { ...usable, bridge: open }
    }
    if (tools !== undefined) return { ...usable, bridge: undefined }
    try {
      return { ...usable, bridge: await use(signal, async (bridge) => bridge) }
    } catch (error) {
      signal?.throwIfAborted()
      return this.#failed(toolkit.name, messageOf(error))
    }
  }

  /** The server's own list replaces the known tools; a difference is reported once. */
  #replaceKnown(wanted: ClientRequest, { name, tools }: BoundToolkit, bridge: Bridge): void {
    if (tools === undefined) return
    const differences = this.#services.known.replace(wanted, tools, bridge)
    if (differences === undefined) return
    const message = `toolkit "${name}": its server lists other tools than the toolkit: ${differences}; pass the current ones`
    this.#warn({ code: 'tools_differ', toolkit: name, message: redactedBy(bridge, message) })
  }

  /** The options of calls in another conversation than the client's. A live transport has one connection only. */
  #callOptions({ link }: BoundToolkit): UsableToolkit['callOptions'] {
    const { principal, workflowId, conversation, answerer, signal } = this.#request
    const isOwn = conversation === undefined || conversation === conversationOf(workflowId)
    return {
      ...(isOwn || link !== undefined ? {} : { origin: { principal: principal.id, conversation } }),
      ...(answerer === undefined ? {} : { answerer }),
      ...(signal === undefined ? {} : { signal }),
    }
  }

  #failed(name: string, error: string): FailedToolkit {
    this.#emit({ type: 'toolkit.failed', workflow: this.#request.workflowId, toolkit: name, error })
    this.#warn({
      code: 'toolkit_failed',
      toolkit: name,
      message: `toolkit "${name}" is not available: ${error}`,
    })
    return { name, error }
  }

  async #tellUnresolved({ bound, failed, missing, refused }: ResolvedToolkits): Promise<void> {
    const { names, sources, principal } = this.#request
    const { maxServers } = this.#services
    for (const { name, error } of failed) this.#failed(name, error)
    if (bound.some(({ source }) => source === 'file') || missing.length > 0) await this.#tellFile()
    if (missing.length > 0) {
      const available = await this.#available()
      const remedy =
        principal.kind === 'session' ? 'save them for this user' : 'add them to mcp.toolkits or the file'
      const message = `no toolkit is called ${quotedList(missing)}; available: ${quotedList(available)}; ${remedy}`
      this.#warn({ code: 'toolkit_missing', message, requested: names, available })
    }
    if (refused.length > 0) {
      const message = `one invocation uses at most ${maxServers} servers; not started: ${quotedList(refused)}`
      this.#warn({
        code: 'toolkit_refused',
        message,
        requested: names,
        available: Object.keys(sources.toolkits),
      })
    }
  }

  /** Only a local principal has a file. */
  async #tellFile(): Promise<void> {
    const { sources } = this.#request
    if (sources.file === undefined) return
    const { path, isMissing, issues } = await sources.file()
    const remedy = 'to use a caller’s own toolkits, enter an execution context with mcp.toolkits'
    if (isMissing) {
      const message = `there are no toolkits for all that was asked for, and no file at ${path}; ${remedy}, or create it`
      return this.#warn({ code: 'file_missing', message })
    }
    if (Object.keys(sources.toolkits).length === 0)
      this.#warn({ code: 'file_fallback', message: `toolkits are taken from ${path}; ${remedy}` })
    for (const { message, fix } of issues) this.#warn({ code: 'file_issue', message: `${message}; ${fix}` })
  }

  async #available(): Promise<readonly string[]> {
    const { toolkits, file } = this.#request.sources
    const inFile = file === undefined ? [] : (await file()).servers.map(({ name }) => name)
    return [...new Set([...Object.keys(toolkits), ...inFile])]
  }

  #tellNames({ byToolkit, collisions }: NamedTools, usable: readonly UsableToolkit[]): void {
    const { notify } = this.#services
    const { workflowId, only } = this.#request
    for (const { toolkit, bridge } of usable) {
      const tools = redactedNames(bridge, byToolkit.get(toolkit.name)?.names ?? [])
      // It may have others.
      if (tools.length === 0 && only !== undefined) continue
      const message = `toolkit "${toolkit.name}" (${toolkit.source}): ${quotedList(tools)}`
      notify({
        severity: 'info',
        code: 'toolkit_resolved',
        message,
        workflowId,
        toolkit: toolkit.name,
        tools,
      })
      for (const tool of tools)
        this.#emit({ type: 'tool.materialized', workflow: workflowId, toolkit: toolkit.name, tool })
    }
    for (const { pair, name } of collisions) {
      const outcome =
        name === undefined
          ? 'both were left out; pass createWorkflowMCP a naming with a separator'
          : `it is ${name}`
      const message = `toolkit "${pair.server}": another one has a tool "${pair.tool}" as well: ${outcome}`
      this.#warn({ code: 'tool_name_collision', toolkit: pair.server, message, tools: [pair.tool] })
    }
  }

  #warn(notice: Omit<MCPNotice, 'severity' | 'workflowId'>): void {
    const { workflowId } = this.#request
    this.#services.notify({ severity: 'warning', workflowId, ...notice })
  }
}

function reported(usable: readonly UsableToolkit[], { byToolkit }: NamedTools): MCPNodeReport['toolkits'] {
  return usable.map(({ toolkit: { name, source }, bridge }) => {
    const { names = [], rawNames = [] } = byToolkit.get(name) ?? {}
    return { name, source, isStarted: bridge !== undefined, tools: names, rawNames }
  })
}
