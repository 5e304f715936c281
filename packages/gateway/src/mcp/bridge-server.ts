import {
  type CallToolRequest,
  type CallToolResult,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Answerer, Bridge, Origin } from '@toolbridge/bridge'
import type { Progress } from '@toolbridge/client'
import { linkedSignal } from '@toolbridge/client/internal'
import type { EventHub } from '../activity/event-hub.ts'
import { gatewayInfo } from '../gateway-info.ts'
import type { QuestionInbox } from '../inbox/question-inbox.ts'
import type { CallAdmission } from '../lifecycle/call-admission.ts'
import type { RunningCalls } from '../lifecycle/running-calls.ts'
import type { OwnerBridges } from '../owners/owner-bridges.ts'
import type { Principal } from '../sign-in/principal.ts'
import { callFailure, hostError } from './call-failure.ts'
import type { ConnectedHosts } from './connected-hosts.ts'
import { hostTools } from './host-tools.ts'
import type { CodeRuns } from './limited-code-runs.ts'
import type { ToolsMode } from './tools-mode.ts'
import { whileConnected } from './while-connected.ts'

/** The gateway services that the MCP endpoint uses. */
export interface McpServices {
  readonly owners: OwnerBridges
  readonly inbox: QuestionInbox
  readonly events: EventHub
  /** Takes note of the hosts. */
  readonly hosts: ConnectedHosts
  /** How hosts that name no mode get the tools. */
  readonly toolsMode: ToolsMode
  /** Runs the code of a principal. */
  readonly codeRunsOf: (principal: string) => CodeRuns
  /** Sessions of one principal. Default: that of `McpSessions`. */
  readonly maxSessions?: number | undefined
  /** Admits the calls of hosts. */
  readonly calls: CallAdmission
  /** Aborted when the gateway stops: ends running calls with an error to their hosts. */
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

/** Runs a call if it is admitted, and rejects if not. */
export type Admit = <T>(call: () => Promise<T>) => Promise<T>

/** Options of one MCP server. */
export interface BridgeServerOptions extends Pick<McpServices, 'toolsMode' | 'stopping' | 'log'> {
  /** Returns the bridge whose tools are served. */
  readonly bridgeOf: () => Promise<Bridge>
  readonly codeRuns: CodeRuns
  /** Origin of a request. Asked for at each, because a session gets its id after the server is created. */
  readonly originOf: (server: Server) => Origin
  /** Returns the answerer for the questions of one call. */
  readonly answererFor: (server: Server, context: ServerContext) => Answerer
  /** The calls that the session waits for when it ends. */
  readonly running: RunningCalls
  /** Admits a call and runs it. Default: every call is admitted. */
  readonly admit?: Admit
  /** Returns what is aborted when the token of a request is revoked or expires: ends its call. Default: nothing. */
  readonly revokedOf?: (context: ServerContext) => AbortSignal | undefined
}

/** Creates an MCP server that serves the tools of a bridge under their public names. */
export function createBridgeServer(options: BridgeServerOptions): Server {
  const server = new Server(gatewayInfo, {
    capabilities: { tools: { listChanged: true } },
    debouncedNotificationMethods: ['notifications/tools/list_changed'],
  })
  server.setRequestHandler('tools/list', () => listTools(server, options))
  server.setRequestHandler('tools/call', (request, context) =>
    options.running.track(callTool(server, options, request, context)),
  )
  return server
}

/** Lists the tools of the servers that are ready, except those that rules deny. Hosts are notified when the list changes. */
async function listTools(server: Server, options: BridgeServerOptions): Promise<{ tools: Tool[] }> {
  try {
    const tools = hostTools(await options.bridgeOf(), options)
    return { tools: tools.list(options.originOf(server)) }
  } catch (error) {
    throw hostError(error, options.log)
  }
}

async function callTool(
  server: Server,
  options: BridgeServerOptions,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const { signal: cancelled } = context.mcpReq
  using ended = linkedSignal(cancelled, options.stopping, options.revokedOf?.(context))
  const { signal } = ended
  try {
    const { admit = (call) => call() } = options
    const result = await admit(async () => {
      const tools = hostTools(await options.bridgeOf(), options)
      return tools.call(params.name, params.arguments ?? {}, {
        origin: options.originOf(server),
        answerer: answererOf(server, options, context),
        signal,
        onProgress: (progress) => sendProgress(context, progress),
      })
    })
    // Our results are readonly and the SDK's are not. The SDK validates each against the protocol schema.
    return result as CallToolResult
  } catch (error) {
    cancelled.throwIfAborted()
    return callFailure(error, options.log)
  }
}

/** Returns the bridge of a principal. */
export async function bridgeOf({ owners }: McpServices, principal: Principal): Promise<Bridge> {
  return (await owners.open(principal.id)).bridge
}

/** The result travels on the response to the call's request: once that is closed, it cannot be delivered. */
function answererOf(server: Server, { answererFor }: BridgeServerOptions, context: ServerContext): Answerer {
  const answerer = answererFor(server, context)
  const request = context.http?.req
  // The HTTP server creates the signal of a request when it is asked for it.
  return request === undefined ? answerer : whileConnected(answerer, () => request.signal)
}

/** Passes progress on to the caller of a request, if it wants to know. */
export function sendProgress({ mcpReq }: ServerContext, progress: Progress): void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  const params = { ...progress, progressToken }
  mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
}
