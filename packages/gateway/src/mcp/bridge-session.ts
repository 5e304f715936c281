import type { Server } from '@modelcontextprotocol/server'
import type { Origin } from '@toolbridge/bridge'
import { linkedSignal } from '@toolbridge/client/internal'
import { bridgeOf, type BridgeServerOptions, createBridgeServer, type McpServices } from './bridge-server.ts'
import { hostAnswerer } from './eliciting-answerer.ts'
import { hostName } from './host-name.ts'
import type { CreateSessionServer } from './mcp-sessions.ts'
import { toolsModeIn } from './tools-mode.ts'

/** Serves the tools of the session's principal, in the mode that its first request names. Each session is a conversation. */
export function bridgeSession(
  services: McpServices,
  revokedOf: NonNullable<BridgeServerOptions['revokedOf']>,
): CreateSessionServer {
  const { owners, inbox, events, calls, hosts } = services
  return async ({ principal, request, running, idOf }) => {
    calls.requireOpen()
    const origin = (): Origin => ({ principal: principal.id, conversation: `mcp:${idOf() ?? ''}` })
    const originOf = (host: Server): Origin => {
      hosts.seen(principal.id, origin().conversation, host)
      return origin()
    }
    const ending = linkedSignal(services.stopping, principal.ended)
    const server = createBridgeServer({
      ...services,
      toolsMode: toolsModeIn(request, services.toolsMode) ?? services.toolsMode,
      stopping: ending.signal,
      bridgeOf: () => bridgeOf(services, principal),
      codeRuns: services.codeRunsOf(principal.id),
      running,
      revokedOf,
      admit: (call) => calls.run(principal.id, call),
      originOf,
      answererFor: (host, context) =>
        hostAnswerer(host, context, inbox.answererFor(principal.id, hostName(host))),
    })
    server.oninitialized = () => void originOf(server)
    const unsubscribe = events.subscribe(principal.id, ({ type }) => {
      if (type === 'tools') server.sendToolListChanged().catch(() => undefined)
    })
    const onEnd = (): void => {
      unsubscribe()
      ending[Symbol.dispose]()
      if (idOf() !== undefined) void release(owners, origin())
    }
    return { server, onEnd }
  }
}

/** Errors are ignored: a gateway that is stopping closes every connection anyway. */
async function release(owners: McpServices['owners'], origin: Origin): Promise<void> {
  const owner = await owners.find(origin.principal).catch(() => undefined)
  await owner?.bridge.releaseOrigin(origin).catch(() => undefined)
}
