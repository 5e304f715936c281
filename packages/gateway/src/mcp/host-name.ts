import type { Server } from '@modelcontextprotocol/server'
import { printable } from '@toolbridge/client/internal'

const maxLength = 100

/** The name that an MCP host gave itself, safe to show. Undefined if it gave none. */
export function hostName(server: Server): string | undefined {
  const { name, title = name } = server.getClientVersion() ?? {}
  const shown = printable(title ?? '', { maxLength })
  return shown === '' ? undefined : shown
}
