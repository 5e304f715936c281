import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { McpErrorCode } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { RunningCalls } from '../lifecycle/running-calls.ts'
import type { Principal } from '../sign-in/principal.ts'
import { bridgeOf, createBridgeServer, type McpServices } from './bridge-server.ts'
import { bridgeSession } from './bridge-session.ts'
import { refusedHeaders } from './header-mismatch.ts'
import { hostName } from './host-name.ts'
import { readMessage } from './read-message.ts'
import { McpSessions } from './mcp-sessions.ts'
import { refusal } from './refusal.ts'
import { type ToolsMode, toolsModeIn } from './tools-mode.ts'

/**
 * The tools of each principal for MCP hosts of both eras. Abort `stopping` before closing; `close` then waits until the
 * aborted calls are answered, and ends every session.
 */
export interface McpEndpoint extends Closable {
  /** How many sessions are open. */
  readonly sessionCount: number
  handle(request: Request, principal: Principal): Promise<Response>
  /** Frees what is kept for a principal without sessions and requests. */
  forget(principal: string): void
}

/**
 * A host of the legacy era has a session, and can be asked questions in it. A host of the modern era sends independent
 * requests, each a conversation of its own: its questions go to the inbox. The URL may name how a host gets the tools.
 */
export function createMcpEndpoint(services: McpServices): McpEndpoint {
  const { log, maxSessions: maxPerPrincipal } = services
  /** What ends the calls of a request: sessions and handlers are shared by all tokens of a principal. */
  const endings: Endings = new WeakMap()
  const revokedOf = ({ http }: ServerContext): AbortSignal | undefined => http?.req && endings.get(http.req)
  const createServer = bridgeSession(services, revokedOf)
  const sessions = new McpSessions({ log, maxPerPrincipal, createServer })
  const modern = new Map<string, ModernHandler>()
  const modernCalls = new RunningCalls()

  function modernFor(principal: Principal, toolsMode: ToolsMode): ModernHandler {
    const key = `${toolsMode} ${principal.id}`
    const handler =
      modern.get(key) ?? createModernHandler({ ...services, toolsMode }, principal, modernCalls, endings)
    modern.set(key, handler)
    return handler
  }

  return {
    get sessionCount() {
      return sessions.size
    },
    async handle(request, principal) {
      const toolsMode = toolsModeIn(request, services.toolsMode)
      if (toolsMode === undefined) return unknownMode()
      const read = await readMessage(request)
      if ('refused' in read) return read.refused
      const { message } = read
      if (principal.ended !== undefined) endings.set(request, principal.ended)
      if (isOfSession(request, message) || (await isLegacyRequest(request, message)))
        return refusedHeaders(request, message) ?? sessions.handle(request, message, principal)
      return modernFor(principal, toolsMode).fetch(request, { parsedBody: message })
    },
    forget(principal) {
      for (const [key, handler] of modern) {
        if (handler.principal !== principal) continue
        modern.delete(key)
        handler
          .close()
          .catch((error: unknown) => log(`an MCP endpoint could not be closed: ${String(error)}`))
      }
    },
    async close() {
      await Promise.all([sessions.close(), modernCalls.allAnswered()])
      await Promise.all([...modern.values()].map((handler) => handler.close()))
    },
  }
}

/** Whether a request certainly belongs to a session of the legacy era: decided without the validation of `isLegacyRequest`. */
function isOfSession({ headers }: Request, message: unknown): boolean {
  const params = isJsonObject(message) ? message['params'] : undefined
  return (
    headers.has('mcp-session-id') &&
    (headers.get('mcp-protocol-version') ?? '') < firstModernRevision &&
    isJsonObject(message) &&
    (params === undefined || (isJsonObject(params) && params['_meta'] === undefined))
  )
}

const firstModernRevision = '2026-07-28'

function unknownMode(): Response {
  return refusal(400, McpErrorCode.InvalidRequest, 'invalid "tools" in the URL: expected all, search or code')
}

type Endings = WeakMap<Request, AbortSignal>

/** Serves the requests of one principal that belong to no session. */
interface ModernHandler extends Closable {
  readonly principal: string
  readonly fetch: McpHttpHandler['fetch']
}

function createModernHandler(
  services: McpServices,
  principal: Principal,
  running: RunningCalls,
  endings: Endings,
): ModernHandler {
  const { inbox, events, hosts, log } = services
  const handler = createMcpHandler(
    ({ requestInfo }) =>
      createBridgeServer({
        ...services,
        revokedOf: () => requestInfo && endings.get(requestInfo),
        bridgeOf: () => bridgeOf(services, principal),
        codeRuns: services.codeRunsOf(principal.id),
        running,
        admit: (call) => services.calls.run(principal.id, call),
        originOf: (server) => {
          const conversation = `mcp:${randomUUID()}`
          hosts.seen(principal.id, conversation, server)
          return { principal: principal.id, conversation, isAnonymous: true }
        },
        answererFor: (server) => inbox.answererFor(principal.id, hostName(server)),
      }),
    { legacy: 'reject', onerror: (error) => log(`a request to the MCP endpoint failed: ${error.message}`) },
  )
  const unsubscribe = events.subscribe(principal.id, ({ type }) => {
    if (type === 'tools') handler.notify.toolsChanged()
  })
  return {
    principal: principal.id,
    fetch: (request, options) => handler.fetch(request, options),
    async close() {
      unsubscribe()
      await handler.close()
    },
  }
}
