import type { McpServer, Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

/** Serves one connection in this process. */
export async function serveEnd(
  create: () => McpServer,
  transport: Transport,
  era?: 'modern' | 'legacy',
): Promise<{ close(): Promise<void> }> {
  if (era !== 'legacy')
    return serveStdio(create, { transport, legacy: era === 'modern' ? 'reject' : 'serve' })
  const server = create()
  await server.connect(transport)
  return server
}
