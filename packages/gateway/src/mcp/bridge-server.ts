import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { type Answerer, type Bridge, type BridgeTool, linkedSignal, type Origin } from '@toolbridge/bridge'
import { McpErrorCode, type Progress } from '@toolbridge/client'
import { gatewayInfo } from '../gateway-info.ts'
import type { RunningCalls } from '../lifecycle/running-calls.ts'
import { callFailure, hostError } from './call-failure.ts'
import { whileConnected } from './while-connected.ts'

/** What one host's server works with. */
export interface BridgeServerOptions {
  /** The principal's bridge, its servers started or on their way. */
  readonly bridge: () => Promise<Bridge>
  /** Whom and where the host's calls come from; asked at each call, since a session's id comes late. */
  readonly origin: () => Origin
  /** Where the questions of one call go. */
  readonly answererFor: (server: Server, context: ServerContext) => Answerer
  readonly calls: RunningCalls
  /** Aborted when the gateway stops: calls end, and their hosts are told. */
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

/** A principal's bridge as an MCP server: the same tools, under their public names. */
export function createBridgeServer(options: BridgeServerOptions): Server {
  const server = new Server(gatewayInfo, {
    capabilities: { tools: { listChanged: true } },
    debouncedNotificationMethods: ['notifications/tools/list_changed'],
  })
  server.setRequestHandler('tools/list', () => listTools(options))
  server.setRequestHandler('tools/call', (request, context) =>
    options.calls.track(callTool(server, options, request, context)),
  )
  return server
}

/** Lists what is ready. A host is told when there is more. */
async function listTools({ bridge, log }: BridgeServerOptions): Promise<{ tools: Tool[] }> {
  try {
    const { tools } = await bridge()
    return { tools: tools.map(offeredTool) }
  } catch (error) {
    throw hostError(error, log)
  }
}

async function callTool(
  server: Server,
  options: BridgeServerOptions,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const { signal: cancelled } = context.mcpReq
  using ended = linkedSignal(cancelled, options.stopping)
  const { signal } = ended
  try {
    const bridge = await options.bridge()
    if ((await bridge.findTool(params.name, { signal })) === undefined) throw unknownTool(params.name)
    const result = await bridge.call(params.name, params.arguments ?? {}, {
      origin: options.origin(),
      answerer: answererOf(server, options, context),
      signal,
      onProgress: (progress) => sendProgress(context, progress),
    })
    // Our results are readonly and the SDK's are not; it checks each against the protocol's schema before it is sent.
    return result as CallToolResult
  } catch (error) {
    cancelled.throwIfAborted()
    return callFailure(error, options.log)
  }
}

/** The answer goes out on the response to the call's own request: once that is cut off, nobody receives it any more. */
function answererOf(server: Server, { answererFor }: BridgeServerOptions, context: ServerContext): Answerer {
  const answerer = answererFor(server, context)
  const gone = context.http?.req?.signal
  return gone === undefined ? answerer : whileConnected(answerer, gone)
}

function unknownTool(name: string): ProtocolError {
  return new ProtocolError(McpErrorCode.InvalidParams, `there is no tool "${name}"`)
}

function sendProgress({ mcpReq }: ServerContext, progress: Progress): void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  const params = { ...progress, progressToken }
  mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
}

/** Everything a server says about its tool except that it can run as a task: the gateway starts none. */
function offeredTool({ name, definition }: BridgeTool): Tool {
  const { execution: _execution, ...offered } = definition as Tool
  return { ...offered, name }
}
