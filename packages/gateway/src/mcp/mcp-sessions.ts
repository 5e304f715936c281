import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/server'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { RunningCalls } from '../lifecycle/running-calls.ts'
import type { Principal } from '../sign-in/principal.ts'
import { refusal } from './refusal.ts'
import { SessionTransport } from './session-transport.ts'

const defaultMaxPerPrincipal = 64

/** A session that begins. */
export interface BeginningSession {
  readonly principal: Principal
  /** The request that begins it. */
  readonly request: Request
  /** The calls that the session waits for when it ends. */
  readonly running: RunningCalls
  /** The id of the session, which it gets after its server is created. */
  readonly idOf: () => string | undefined
}

/** The MCP server of a session. */
export interface SessionServer {
  readonly server: Server
  /** Called when the session has ended, also if it never got an id. */
  readonly onEnd: () => void
}

/** Creates the MCP server of a session. Undefined if there is none for the request. */
export type CreateSessionServer = (session: BeginningSession) => Promise<SessionServer | undefined>

/** Options of `McpSessions`. */
export interface McpSessionsOptions {
  readonly log: (line: string) => void
  /**
   * Sessions of one principal. Opening another ends the least recently used one that has no running call. Default: 64.
   */
  readonly maxPerPrincipal?: number | undefined
  readonly createServer: CreateSessionServer
}

/** The sessions of MCP hosts of the legacy era. Each has its own MCP server, and ends with the token that opened it. */
export class McpSessions implements Closable {
  readonly #log: (line: string) => void
  readonly #maxPerPrincipal: number
  readonly #createServer: CreateSessionServer
  /** Ordered by last use, oldest first. */
  readonly #sessions = new Map<string, McpSession>()

  constructor({ log, maxPerPrincipal = defaultMaxPerPrincipal, createServer }: McpSessionsOptions) {
    this.#log = log
    this.#maxPerPrincipal = maxPerPrincipal
    this.#createServer = createServer
  }

  /** How many sessions are open. */
  get size(): number {
    return this.#sessions.size
  }

  /** Answers a request with this body, which is undefined unless it is a POST. */
  async handle(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#handleFirst(request, parsedBody, principal)
    const session = this.#sessions.get(id)
    if (session === undefined || session.principal.id !== principal.id) return sessionNotFound()
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return session.running.track(session.transport.handleRequest(request, { parsedBody }))
  }

  /** Waits until the running calls, which `stopping` aborts, are answered. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
  }

  /** Only `initialize` opens a session; the transport rejects any other request without a session id. */
  async #handleFirst(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    if (!this.#canOpenFor(principal)) return allSessionsBusy(this.#maxPerPrincipal)
    const session = await openSession(this.#createServer, request, principal, {
      log: this.#log,
      onOpen: (id) => {
        if (session !== undefined) this.#keep(id, session)
      },
      onClose: (id) => this.#sessions.delete(id),
    })
    if (session === undefined) return sessionNotFound()
    const response = await session.transport.handleRequest(request, { parsedBody })
    if (session.transport.sessionId === undefined) await session.close()
    return response
  }

  #canOpenFor(principal: Principal): boolean {
    const sessions = this.#sessionsOf(principal)
    return sessions.length < this.#maxPerPrincipal || sessions.some(({ running }) => running.isEmpty)
  }

  #keep(id: string, session: McpSession): void {
    const sessions = this.#sessionsOf(session.principal)
    this.#sessions.set(id, session)
    if (sessions.length < this.#maxPerPrincipal) return
    const unused = sessions.find(({ running }) => running.isEmpty)
    if (unused !== undefined) closeLater(unused, this.#log)
  }

  #sessionsOf(principal: Principal): readonly McpSession[] {
    return [...this.#sessions.values()].filter((session) => session.principal.id === principal.id)
  }
}

/** Closing waits until the running calls are answered. */
interface McpSession extends Closable {
  readonly principal: Principal
  readonly running: RunningCalls
  readonly transport: SessionTransport
}

interface SessionEvents {
  readonly log: (line: string) => void
  readonly onOpen: (id: string) => void
  readonly onClose: (id: string) => void
}

async function openSession(
  createServer: CreateSessionServer,
  request: Request,
  principal: Principal,
  { log, onOpen, onClose }: SessionEvents,
): Promise<McpSession | undefined> {
  const running = new RunningCalls()
  const transport = new SessionTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: onOpen,
  })
  const created = await createServer({ principal, request, running, idOf: () => transport.sessionId })
  if (created === undefined) return undefined
  const { server, onEnd } = created
  const endWithToken = (): void => closeLater(session, log)
  principal.ended?.addEventListener('abort', endWithToken)
  server.onclose = () => {
    principal.ended?.removeEventListener('abort', endWithToken)
    if (transport.sessionId !== undefined) onClose(transport.sessionId)
    onEnd()
  }
  await server.connect(transport)
  const session: McpSession = {
    principal,
    running,
    transport,
    async close() {
      await running.allAnswered()
      await server.close()
    },
  }
  // Revoked while the session was opened.
  if (principal.ended?.aborted === true) endWithToken()
  return session
}

function closeLater(session: McpSession, log: (line: string) => void): void {
  session.close().catch((error: unknown) => {
    log(`an MCP session could not be closed: ${String(error)}`)
  })
}

function sessionNotFound(): Response {
  return refusal(404, -32_001, 'Session not found')
}

function allSessionsBusy(max: number): Response {
  const message = `${max} sessions are open and each has a running call; end one and try again`
  const response = refusal(503, -32_000, message)
  response.headers.set('retry-after', '1')
  return response
}
