import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Origin } from '@toolbridge/bridge'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { RunningCalls } from '../lifecycle/running-calls.ts'
import type { Principal } from '../sign-in/principal.ts'
import { bridgeOf, createBridgeServer, type McpServices } from './bridge-server.ts'
import { refusal } from './refusal.ts'
import { hostAnswerer } from './eliciting-answerer.ts'

/** Opening a session beyond this limit ends the least recently used one that has no running call. */
const maxSessionsPerPrincipal = 64

/** The sessions of MCP hosts of the legacy era. Each session has its own MCP server. */
export class McpSessions implements Closable {
  readonly #services: McpServices
  /** Ordered by last use, oldest first. */
  readonly #sessions = new Map<string, McpSession>()

  constructor(services: McpServices) {
    this.#services = services
  }

  /** Answers a request with this body, which is undefined unless it is a POST. */
  async handle(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#handleFirst(request, parsedBody, principal)
    const session = this.#sessions.get(id)
    if (session === undefined || session.principal.id !== principal.id) return sessionNotFound()
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return session.calls.track(session.transport.handleRequest(request, { parsedBody }))
  }

  /** Waits until the running calls, which `stopping` aborts, are answered. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
  }

  /** Only `initialize` opens a session; the transport rejects any other request without a session id. */
  async #handleFirst(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    if (!this.#canOpenFor(principal)) return allSessionsBusy()
    const session = await openSession(this.#services, principal, {
      onOpen: (id) => this.#keep(id, session),
      onClose: (id) => this.#sessions.delete(id),
    })
    const response = await session.transport.handleRequest(request, { parsedBody })
    if (session.transport.sessionId === undefined) await session.close()
    return response
  }

  #canOpenFor(principal: Principal): boolean {
    const sessions = this.#sessionsOf(principal)
    return sessions.length < maxSessionsPerPrincipal || sessions.some(({ calls }) => calls.isEmpty)
  }

  #keep(id: string, session: McpSession): void {
    const sessions = this.#sessionsOf(session.principal)
    this.#sessions.set(id, session)
    if (sessions.length < maxSessionsPerPrincipal) return
    const unused = sessions.find(({ calls }) => calls.isEmpty)
    unused?.close().catch((error: unknown) => {
      this.#services.log(`an MCP session could not be closed: ${String(error)}`)
    })
  }

  #sessionsOf(principal: Principal): readonly McpSession[] {
    return [...this.#sessions.values()].filter((session) => session.principal.id === principal.id)
  }
}

/** Closing waits until the running calls are answered. */
interface McpSession extends Closable {
  readonly principal: Principal
  readonly calls: RunningCalls
  readonly transport: WebStandardStreamableHTTPServerTransport
}

async function openSession(
  services: McpServices,
  principal: Principal,
  { onOpen, onClose }: { readonly onOpen: (id: string) => void; readonly onClose: (id: string) => void },
): Promise<McpSession> {
  const { owners, inbox, events } = services
  const calls = new RunningCalls()
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: onOpen,
  })
  const originOf = (): Origin => ({
    principal: principal.id,
    conversation: `mcp:${transport.sessionId ?? ''}`,
  })
  const server = createBridgeServer({
    ...services,
    bridgeOf: () => bridgeOf(services, principal),
    calls,
    originOf,
    answererFor: (host, context) => hostAnswerer(host, context, inbox.answererFor(principal.id)),
  })
  const unsubscribe = events.subscribe(principal.id, ({ type }) => {
    if (type === 'tools') server.sendToolListChanged().catch(() => undefined)
  })
  server.onclose = () => {
    unsubscribe()
    if (transport.sessionId === undefined) return
    onClose(transport.sessionId)
    void release(owners, originOf())
  }
  await server.connect(transport)
  return {
    principal,
    calls,
    transport,
    async close() {
      await calls.allAnswered()
      await server.close()
    },
  }
}

/** Errors are ignored: a gateway that is stopping closes every connection anyway. */
async function release(owners: McpServices['owners'], origin: Origin): Promise<void> {
  const owner = await owners.open(origin.principal).catch(() => undefined)
  await owner?.bridge.releaseOrigin(origin).catch(() => undefined)
}

function sessionNotFound(): Response {
  return refusal(404, -32_001, 'Session not found')
}

function allSessionsBusy(): Response {
  const message = `${maxSessionsPerPrincipal} sessions are open and each has a running call; end one and try again`
  return refusal(503, -32_000, message)
}
