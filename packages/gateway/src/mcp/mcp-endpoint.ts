import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { EventHub } from '../activity/event-hub.ts'
import type { QuestionInbox } from '../inbox/question-inbox.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { RunningCalls } from '../lifecycle/running-calls.ts'
import type { OwnerBridges } from '../owners/owner-bridges.ts'
import type { Principal } from '../sign-in/principal.ts'
import { createBridgeServer } from './bridge-server.ts'
import { McpSessions } from './mcp-sessions.ts'

export interface McpEndpointOptions {
  readonly owners: OwnerBridges
  readonly inbox: QuestionInbox
  readonly events: EventHub
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

/**
 * Each principal's tools for MCP hosts of both eras. Closing, which `stopping` goes before, waits until the calls that it
 * ended are answered, and ends every session.
 */
export interface McpEndpoint extends Closable {
  handle(request: Request, principal: Principal): Promise<Response>
}

/**
 * A host of the 2025 era has a session, and can be asked questions in it. One of the 2026 era sends each request by
 * itself: its questions go to the inbox.
 */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const sessions = new McpSessions(options)
  const modern = new Map<string, McpHttpHandler>()
  const modernCalls = new RunningCalls()

  function modernFor(principal: Principal): McpHttpHandler {
    const handler = modern.get(principal.id) ?? openModern(options, principal, modernCalls)
    modern.set(principal.id, handler)
    return handler
  }

  return {
    async handle(request, principal) {
      if (await isLegacyRequest(request)) return sessions.handle(request, principal)
      return modernFor(principal).fetch(request)
    },
    async close() {
      await Promise.all([sessions.close(), modernCalls.answered()])
      await Promise.all([...modern.values()].map((handler) => handler.close()))
    },
  }
}

/** Lives as long as the endpoint, as does its place among the listeners. */
function openModern(options: McpEndpointOptions, principal: Principal, calls: RunningCalls): McpHttpHandler {
  const { owners, inbox, events, log } = options
  const handler = createMcpHandler(
    () =>
      createBridgeServer({
        ...options,
        calls,
        bridge: async () => (await owners.open(principal.id)).bridge,
        origin: () => ({ principal: principal.id, conversation: 'mcp:stateless' }),
        answererFor: () => inbox.answererFor(principal.id),
      }),
    { legacy: 'reject', onerror: (error) => log(`a request to the MCP endpoint failed: ${error.message}`) },
  )
  events.subscribe(principal.id, ({ type }) => {
    if (type === 'tools') handler.notify.toolsChanged()
  })
  return handler
}
