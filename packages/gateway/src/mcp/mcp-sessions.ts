import { randomUUID } from 'node:crypto'
import {
  type Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Answerer, Origin } from '@toolbridge/bridge'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { RunningCalls } from '../lifecycle/running-calls.ts'
import type { Principal } from '../sign-in/principal.ts'
import { createBridgeServer } from './bridge-server.ts'
import { elicitingAnswerer } from './eliciting-answerer.ts'
import type { McpEndpointOptions } from './mcp-endpoint.ts'

/**
 * A host that forgets its sessions keeps at most this many: opening another ends the one longest unused, but never one
 * whose host waits for a call.
 */
const maxSessionsPerPrincipal = 64

/** The sessions of hosts of the 2025 era, each with a server of its own. */
export class McpSessions implements Closable {
  readonly #services: McpEndpointOptions
  /** In the order of last use. */
  readonly #sessions = new Map<string, McpSession>()

  constructor(services: McpEndpointOptions) {
    this.#services = services
  }

  async handle(request: Request, principal: Principal): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#handleFirst(request, principal)
    const session = this.#sessions.get(id)
    if (session === undefined || session.principal.id !== principal.id) return sessionNotFound()
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return session.calls.track(session.transport.handleRequest(request))
  }

  /** Waits until the calls under way, which `stopping` ends, are answered. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
  }

  /** Only `initialize` makes a session; the transport refuses whatever else comes without one. */
  async #handleFirst(request: Request, principal: Principal): Promise<Response> {
    if (!this.#hasRoomFor(principal)) return allAreBusy()
    const session = await openSession(this.#services, principal, {
      onOpen: (id) => this.#keep(id, session),
      onClose: (id) => this.#sessions.delete(id),
    })
    const response = await session.transport.handleRequest(request)
    if (session.transport.sessionId === undefined) await session.close()
    return response
  }

  #hasRoomFor(principal: Principal): boolean {
    const sessions = this.#sessionsOf(principal)
    return sessions.length < maxSessionsPerPrincipal || sessions.some(({ calls }) => calls.isEmpty)
  }

  #keep(id: string, session: McpSession): void {
    const sessions = this.#sessionsOf(session.principal)
    this.#sessions.set(id, session)
    if (sessions.length < maxSessionsPerPrincipal) return
    const unused = sessions.find(({ calls }) => calls.isEmpty)
    unused?.close().catch((error: unknown) => {
      this.#services.log(`a session of an MCP host could not be closed: ${String(error)}`)
    })
  }

  #sessionsOf(principal: Principal): readonly McpSession[] {
    return [...this.#sessions.values()].filter((session) => session.principal.id === principal.id)
  }
}

/** Closing waits until its calls are answered. */
interface McpSession extends Closable {
  readonly principal: Principal
  readonly calls: RunningCalls
  readonly transport: WebStandardStreamableHTTPServerTransport
}

async function openSession(
  services: McpEndpointOptions,
  principal: Principal,
  { onOpen, onClose }: { readonly onOpen: (id: string) => void; readonly onClose: (id: string) => void },
): Promise<McpSession> {
  const { owners, inbox, events } = services
  const calls = new RunningCalls()
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: onOpen,
  })
  const origin = (): Origin => ({ principal: principal.id, conversation: `mcp:${transport.sessionId ?? ''}` })
  const server = createBridgeServer({
    ...services,
    calls,
    bridge: async () => (await owners.open(principal.id)).bridge,
    origin,
    answererFor: (host, context) => answererFor(host, context, inbox.answererFor(principal.id)),
  })
  const unsubscribe = events.subscribe(principal.id, ({ type }) => {
    if (type === 'tools') server.sendToolListChanged().catch(() => undefined)
  })
  server.onclose = () => {
    unsubscribe()
    if (transport.sessionId === undefined) return
    onClose(transport.sessionId)
    void release(owners, origin())
  }
  await server.connect(transport)
  return {
    principal,
    calls,
    transport,
    async close() {
      await calls.answered()
      await server.close()
    },
  }
}

function answererFor(host: Server, context: ServerContext, inbox: Answerer): Answerer {
  const canAsk = host.getClientCapabilities()?.elicitation?.form !== undefined
  return canAsk ? elicitingAnswerer(context, inbox) : inbox
}

/** A gateway that is stopping closes every connection anyway. */
async function release(owners: McpEndpointOptions['owners'], origin: Origin): Promise<void> {
  const owner = await owners.open(origin.principal).catch(() => undefined)
  await owner?.bridge.releaseOrigin(origin).catch(() => undefined)
}

function sessionNotFound(): Response {
  return refusal(404, -32_001, 'Session not found')
}

function allAreBusy(): Response {
  const message = `${maxSessionsPerPrincipal} sessions are open and each waits for a call; end one and try again`
  return refusal(503, -32_000, message)
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
