import type { McpClientOptions } from '../client-options.ts'
import type { McpConnection } from '../connect.ts'
import { HookReporter, type McpConnectEvent } from './hooks.ts'

/** Tells the hooks that a connection is open. */
export function tellConnected(
  options: McpClientOptions,
  transport: McpConnectEvent['transport'],
  { serverInfo, tools }: McpConnection,
): void {
  reporterOf(options)?.connected({
    transport,
    serverName: serverInfo.name,
    serverVersion: serverInfo.version,
    toolCount: tools.length,
  })
}

/** Tells the hooks that a connection could not be opened. */
export function tellConnectFailed(options: McpClientOptions, error: unknown): void {
  reporterOf(options)?.failed('connect', error)
}

function reporterOf({ hooks, server = '', onWarning }: McpClientOptions): HookReporter | undefined {
  return hooks === undefined ? undefined : new HookReporter(hooks, server, onWarning)
}
