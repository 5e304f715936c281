import type { Answerer, Bridge, BridgeTool, Origin } from '@toolbridge/bridge'
import { McpErrorCode, type Progress } from '@toolbridge/client'
import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { gatewayInfo } from '../identity.ts'
import { callFailure } from './failure.ts'
import type { RunningCalls } from './running-calls.ts'

/** What one host's server works with. */
export interface HostServerOptions {
  /** The principal's bridge, its servers started. */
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
export function createHostServer(options: HostServerOptions): Server {
  const server = new Server(gatewayInfo, {
    capabilities: { tools: { listChanged: true } },
    debouncedNotificationMethods: ['notifications/tools/list_changed'],
  })
  server.setRequestHandler('tools/list', async () => {
    const { tools } = await options.bridge()
    return { tools: tools.map(offeredTool) }
  })
  server.setRequestHandler('tools/call', (request, context) =>
    options.calls.track(callTool(server, options, request, context)),
  )
  return server
}

async function callTool(
  server: Server,
  options: HostServerOptions,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const { signal } = context.mcpReq
  const bridge = await options.bridge()
  if (bridge.tool(params.name) === undefined) {
    throw new ProtocolError(McpErrorCode.InvalidParams, `there is no tool "${params.name}"`)
  }
  try {
    const result = await bridge.call(params.name, params.arguments ?? {}, {
      origin: options.origin(),
      answerer: options.answererFor(server, context),
      signal: AbortSignal.any([signal, options.stopping]),
      onProgress: (progress) => sendProgress(context, progress),
    })
    // Our results are readonly and the SDK's are not; it checks each against the protocol's schema before it is sent.
    return result as CallToolResult
  } catch (error) {
    signal.throwIfAborted()
    return callFailure(error, options.log)
  }
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
