import { randomUUID } from 'node:crypto'
import type { Answerer, Origin } from '@toolbridge/bridge'
import {
  type Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Closable } from '../closing.ts'
import type { Principal } from '../principal.ts'
import type { HostServices } from './endpoint.ts'
import { hostAnswerer } from './host-answerer.ts'
import { createHostServer } from './host-server.ts'

/** A host that forgets its sessions keeps at most this many; opening another ends the one longest unused. */
const maxSessionsPerPrincipal = 64

/** The sessions of hosts of the 2025 era, each with a server of its own. */
export class HostSessions implements Closable {
  readonly #services: HostServices
  /** In the order of last use. */
  readonly #sessions = new Map<string, HostSession>()

  constructor(services: HostServices) {
    this.#services = services
  }

  async handle(request: Request, principal: Principal): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#handleFirst(request, principal)
    const session = this.#sessions.get(id)
    if (session === undefined || session.principal.id !== principal.id) return sessionNotFound()
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return session.transport.handleRequest(request)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
  }

  /** Only `initialize` makes a session; the transport refuses whatever else comes without one. */
  async #handleFirst(request: Request, principal: Principal): Promise<Response> {
    const session = await openSession(this.#services, principal, {
      onOpen: (id) => this.#keep(id, session),
      onClose: (id) => this.#sessions.delete(id),
    })
    const response = await session.transport.handleRequest(request)
    if (session.transport.sessionId === undefined) await session.close()
    return response
  }

  #keep(id: string, session: HostSession): void {
    this.#sessions.set(id, session)
    const ofPrincipal = [...this.#sessions.values()].filter(
      ({ principal }) => principal.id === session.principal.id,
    )
    const [unused] = ofPrincipal
    if (unused !== undefined && ofPrincipal.length > maxSessionsPerPrincipal) void unused.close()
  }
}

interface HostSession extends Closable {
  readonly principal: Principal
  readonly transport: WebStandardStreamableHTTPServerTransport
}

async function openSession(
  services: HostServices,
  principal: Principal,
  { onOpen, onClose }: { readonly onOpen: (id: string) => void; readonly onClose: (id: string) => void },
): Promise<HostSession> {
  const { owners, desk, events } = services
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: onOpen,
  })
  const origin = (): Origin => ({ principal: principal.id, conversation: `mcp:${transport.sessionId ?? ''}` })
  const server = createHostServer({
    ...services,
    bridge: async () => (await owners.open(principal.id)).settled(),
    origin,
    answererFor: (host, context) => answererFor(host, context, desk.answererFor(principal.id)),
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
  return { principal, transport, close: () => server.close() }
}

function answererFor(host: Server, context: ServerContext, inbox: Answerer): Answerer {
  const canAsk = host.getClientCapabilities()?.elicitation?.form !== undefined
  return canAsk ? hostAnswerer(context, inbox) : inbox
}

/** A gateway that is stopping closes every connection anyway. */
async function release(owners: HostServices['owners'], origin: Origin): Promise<void> {
  const owner = await owners.open(origin.principal).catch(() => undefined)
  await owner?.bridge.releaseOrigin(origin).catch(() => undefined)
}

function sessionNotFound(): Response {
  const error = { code: -32_001, message: 'Session not found' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
