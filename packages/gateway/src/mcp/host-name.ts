import type { Server } from '@modelcontextprotocol/server'
import { printable } from '@toolbridge/client/internal'

const maxLength = 100

type Implementation = NonNullable<ReturnType<Server['getClientVersion']>>

/** By what hosts said of themselves: a session says it once, and its name is needed in each call. */
const known = new WeakMap<Implementation, string>()

/** The name that an MCP host gave itself, safe to show. Undefined if it gave none. */
export function hostName(server: Server): string | undefined {
  const implementation = server.getClientVersion()
  if (implementation === undefined) return undefined
  const shown = known.get(implementation) ?? shownName(implementation)
  known.set(implementation, shown)
  return shown === '' ? undefined : shown
}

function shownName({ name, title = name }: Implementation): string {
  return printable(title, { maxLength })
}
