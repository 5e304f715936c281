import type { McpClient } from './client.ts'
import { McpError } from './jsonrpc/jsonrpc.ts'

/**
 * Refreshes the tools on every change that the server reports, until the connection ends. Changes reported during a refresh
 * cause one more. Does nothing if the server does not report changes.
 */
export async function refreshToolsOnChange(
  client: McpClient,
  refresh: () => Promise<unknown>,
  onWarning: ((warning: McpError) => void) | undefined,
): Promise<void> {
  if (client.info?.capabilities.tools?.listChanged !== true) return
  const refreshOnce = coalesced(refresh, (error) => error instanceof McpError && onWarning?.(error))
  await client.subscribe({ toolsListChanged: true }, refreshOnce, { onGap: refreshOnce })
}

function coalesced(refresh: () => Promise<unknown>, onError: (error: unknown) => void): () => void {
  let isRunning = false
  let isDue = false
  const run = async (): Promise<void> => {
    isRunning = true
    while (isDue) {
      isDue = false
      await refresh().catch(onError)
    }
    isRunning = false
  }
  return () => {
    isDue = true
    if (!isRunning) void run()
  }
}
