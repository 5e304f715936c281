import type { McpClientOptions } from './client-options.ts'
import type { McpConnection } from './connect.ts'
import {
  isHttpConfig,
  isWebSocketUrl,
  type McpHttpConfig,
  type McpStdioConfig,
} from './transports/server-config.ts'
import { HookReporter, type McpConnectEvent } from './features/hooks.ts'

/** Connects and reports the result to the hooks. */
export async function reportConnect(
  config: McpHttpConfig | McpStdioConfig,
  { hooks = {}, server = '', onWarning }: McpClientOptions,
  connect: () => Promise<McpConnection>,
): Promise<McpConnection> {
  const reporter = new HookReporter(hooks, server, onWarning)
  try {
    const connection = await connect()
    reporter.connected(eventOf(config, connection))
    return connection
  } catch (error) {
    reporter.failed('connect', error)
    throw error
  }
}

function eventOf(
  config: McpHttpConfig | McpStdioConfig,
  { serverInfo, tools }: McpConnection,
): Omit<McpConnectEvent, 'server'> {
  return {
    transport: transportOf(config),
    serverName: serverInfo.name,
    serverVersion: serverInfo.version,
    toolCount: tools.length,
  }
}

function transportOf(config: McpHttpConfig | McpStdioConfig): McpConnectEvent['transport'] {
  if (!isHttpConfig(config)) return 'stdio'
  return isWebSocketUrl(config.url) ? 'websocket' : 'http'
}
