import { descend } from '../dialects/shapes.ts'
import { type DocumentLocation, fieldOf, fieldsOf } from '../documents/config-document.ts'

/** Keys that contain servers; a document has at most one of them. */
export const serverKeys: ReadonlySet<string> = new Set([
  'mcpServers',
  'servers',
  'context_servers',
  'mcp_servers',
  'amp.mcpServers',
])

/** Further keys that may contain servers. Other settings use them too, so the value must look like servers. */
const nestedKeys = [
  ['mcp'],
  ['mcp', 'servers'],
  ['metadata', 'mcp'],
  ['amp', 'mcpServers'],
  ['extensions'],
] as const

/** A value that contains servers. */
export interface ServerRoot {
  /** Keys from the root, joined by dots. */
  readonly name: string
  readonly location: DocumentLocation
}

/** Finds all values of a document that contain servers, for any dialect. */
export function serverRootsIn(root: DocumentLocation): readonly ServerRoot[] {
  const plain = fieldsOf(root).filter(({ key }) => serverKeys.has(key))
  const nested = nestedKeys.flatMap((path): readonly ServerRoot[] => {
    const location = descend(root, path)
    return location !== undefined && containsServers(location) ? [{ name: path.join('.'), location }] : []
  })
  return [...plain.map((field) => ({ name: field.key, location: field })), ...nested]
}

/** Reports whether a value looks like a map of servers. */
export function containsServers(location: DocumentLocation): boolean {
  return fieldsOf(location).some((entry) =>
    ['command', 'url', 'cmd', 'uri'].some((key) => fieldOf(entry, key) !== undefined),
  )
}
