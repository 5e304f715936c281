import { namingPolicy, plainName } from '@toolbridge/client/internal'
import type { Bridge } from '../../bridge.ts'
import type { BridgeTool } from '../../catalog/catalog.ts'
import { toolUri } from '../../catalog/tool-uri.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import { ConfigError } from '../../errors.ts'
import { type Clock, systemClock } from '../../async/clock.ts'
import { messageOf } from '../../text/message-of.ts'
import {
  type AgentAppsContext,
  type AgentAppsTool,
  type Conversation,
  Conversations,
  type GatewayReceive,
  invokeGatewayReceive,
} from './agent-apps.ts'
import { interpolate, type MetadataServer, readMcpMetadata } from './mcp-metadata.ts'
import { type ExecutionPrincipal, getExecutionContext } from '../execution-context.ts'
import { type MCPNotice, type OnNotice, printNotice } from '../notice.ts'
import { ToolRegistrations } from './tool-registrations.ts'
import { ToolkitClients, clientRequest } from '../toolkits/toolkit-clients.ts'
import { openToolkit, principalOf, type ToolkitHostOptions } from '../toolkits/toolkit-opening.ts'

export type { AgentAppsContext, AgentAppsTool, GatewayReceive } from './agent-apps.ts'
export type { MCPNotice, OnNotice } from '../notice.ts'
export { pathGet } from './path-get.ts'
export type { LocalAuthority, ToolkitClientOptions, ToolkitHostOptions } from '../toolkits/toolkit-opening.ts'

/** Options of `mcpMiddleware`. */
export interface McpMiddlewareOptions extends ToolkitHostOptions {
  /** Brings questions of servers to the caller's channel. Default: the skill `gateway-receive`. */
  readonly gatewayReceive?: GatewayReceive
  /** The user that a skill runs for. Default: the principal of the execution context, else the local user. */
  readonly principalOf?: (context: AgentAppsContext) => ExecutionPrincipal
  /** Receives notices. Default: warnings are printed to stderr. */
  readonly onNotice?: OnNotice
  /** Default: the system clock. */
  readonly clock?: Clock
}

/** The handler of the metadata key `mcp`. Close it after use. */
export interface McpMiddleware extends AsyncDisposable {
  readonly name: 'mcp'
  /**
   * Starts the servers of the metadata on first use, registers their tools, and reports the state of each in
   * `config.mcp` of the target. `metadata` is a map of entries, or a list of maps, outermost first. Default: the metadata
   * of the target. A failing server does not affect the others.
   */
  readonly fn: (context: AgentAppsContext, metadata?: unknown) => Promise<void>
  /** Removes the tools and stops every server; calls in flight fail. Idempotent. */
  readonly close: () => Promise<void>
}

/** Creates the handler of `mcp` metadata for Agent Apps. */
export function mcpMiddleware(options: McpMiddlewareOptions = {}): McpMiddleware {
  const middleware = new Middleware(options)
  return {
    name: 'mcp',
    fn: (context, metadata) => middleware.run(context, metadata),
    close: () => middleware.close(),
    [Symbol.asyncDispose]: () => middleware.close(),
  }
}

const kebab = namingPolicy({ separator: '-', sanitize: 'kebab', onCollision: 'error' })

/** Keeps the clients apart from those of workflows. */
const scope = 'agent-apps'

/** A server, and the caller in whose context its tools were registered. */
interface RegisteredServer extends MetadataServer {
  readonly caller: Caller
}

/** The principal and conversation of a call. */
interface Caller extends Conversation {
  readonly principal: ExecutionPrincipal
}

interface Opened {
  readonly server: MetadataServer
  readonly bridge?: Bridge
  readonly error?: string
}

class Middleware {
  readonly #options: McpMiddlewareOptions
  readonly #clients: ToolkitClients
  readonly #notify: OnNotice
  readonly #conversations = new Conversations()
  readonly #registrations = new ToolRegistrations((server, message) =>
    this.#warn('tool_name_collision', message, server),
  )

  constructor(options: McpMiddlewareOptions) {
    const { idleMs = 300_000, maxClients, clock = systemClock } = options
    this.#options = options
    this.#notify = options.onNotice ?? printNotice
    this.#clients = new ToolkitClients({
      idleMs,
      maxClients,
      clock,
      open: (wanted, signal, use) =>
        openToolkit(wanted, options, { naming: kebab, conversation: 'main', isAnonymous: true, signal, use }),
    })
  }

  async run(context: AgentAppsContext, metadata: unknown = context.target?.metadata?.mcp): Promise<void> {
    const levels: readonly unknown[] = Array.isArray(metadata) ? metadata : [metadata ?? {}]
    const { servers, issues } = readMcpMetadata(levels, context)
    for (const { code, message, fix } of issues) this.#warn('file_issue', `${message}; ${fix} (${code})`)
    const opened = await Promise.all(servers.map((server) => this.#open(context, server)))
    const registration = this.#registrations.in(context.globals.tools.programmaticTools)
    const outcomes = opened.map(({ server, bridge, error }) => {
      const { name } = server.definition
      if (bridge === undefined) return [name, { error }] as const
      const registered = { ...server, caller: this.#callerOf(context) }
      const tools = bridge.tools.map((tool) => this.#toolOf(tool, registered))
      return [name, { tools: registration.replace(server.definition, tools) }] as const
    })
    const config = context.target?.config
    if (config !== undefined) config['mcp'] = Object.fromEntries(outcomes)
  }

  close(): Promise<void> {
    this.#registrations.clear()
    return this.#clients.close()
  }

  /** Rejects only if the caller aborts: failures of one server do not affect the others. */
  async #open(context: AgentAppsContext, server: MetadataServer): Promise<Opened> {
    const { signal } = context
    const { spec } = server
    const wanted = clientRequest(scope, this.#principalOf(context), spec)
    // Drops a client whose server has failed permanently.
    this.#clients.opened(wanted)
    try {
      return { server, bridge: await this.#clients.use(wanted, signal, async (bridge) => bridge) }
    } catch (thrown) {
      signal?.throwIfAborted()
      const error = messageOf(thrown)
      this.#warn('toolkit_failed', `server "${spec.name}" is not available: ${error}`, spec.name)
      return { server, error }
    }
  }

  #toolOf(
    { name, server, rawName, uri, definition }: BridgeTool,
    registered: RegisteredServer,
  ): AgentAppsTool {
    const { description, inputSchema } = definition
    const plain = plainName({ server, tool: rawName }, { ...kebab, separator: 'none' })
    return {
      name,
      src: toolUri(server, plain),
      ...(description === undefined ? {} : { description }),
      params: inputSchema,
      fn: (context, args = {}) => this.#call(context, registered, uri, args),
    }
  }

  /** Registries may be shared, so the call uses the client and definition of its caller, not of the registration. */
  async #call(
    context: AgentAppsContext,
    registered: RegisteredServer,
    uri: string,
    args: Readonly<Record<string, unknown>>,
  ): ReturnType<AgentAppsTool['fn']> {
    const { gatewayReceive = invokeGatewayReceive } = this.#options
    const { signal } = context
    const caller = this.#callerOf(context)
    const { principal, ...conversation } = caller
    const origin = { principal: principal.id, ...conversation }
    const answerer = this.#conversations.answererOf(context, gatewayReceive)
    const wanted = clientRequest(scope, principal, specFor(context, caller, registered))
    return this.#clients.use(wanted, signal, (bridge) =>
      bridge.call(uri, args, { origin, answerer, ...(signal === undefined ? {} : { signal }) }),
    )
  }

  #callerOf(context: AgentAppsContext): Caller {
    return { principal: this.#principalOf(context), ...this.#conversations.of(context) }
  }

  #principalOf(context: AgentAppsContext): ExecutionPrincipal {
    return this.#options.principalOf?.(context) ?? principalOf(getExecutionContext(), this.#options)
  }

  #warn(code: MCPNotice['code'], message: string, toolkit?: string): void {
    this.#notify({ severity: 'warning', code, message, ...(toolkit === undefined ? {} : { toolkit }) })
  }
}

/** Values from the context at registration belong to that caller; another caller gets its own values. */
function specFor(context: AgentAppsContext, caller: Caller, registered: RegisteredServer): ServerSpec {
  if (isSame(caller, registered.caller)) return registered.spec
  const { spec, issues } = interpolate(registered.definition, context)
  if (spec === undefined) throw ConfigError.of(issues)
  return spec
}

function isSame(one: Caller, other: Caller): boolean {
  const { id, kind } = other.principal
  return one.principal.id === id && one.principal.kind === kind && one.conversation === other.conversation
}
