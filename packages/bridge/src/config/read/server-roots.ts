import { descend } from '../dialects/shapes.ts'
import { type DocumentLocation, fieldOf, fieldsOf } from '../documents/config-document.ts'

/** Keys of which a document has at most one, since each holds servers. */
export const serverKeys: ReadonlySet<string> = new Set([
  'mcpServers',
  'servers',
  'context_servers',
  'mcp_servers',
])

/** Where else a document may hold servers, if what stands there looks like some: other settings have such names too. */
const nestedKeys = [['mcp'], ['mcp', 'servers'], ['metadata', 'mcp']] as const

/** A place that holds servers. */
export interface ServerRoot {
  /** The keys that lead there. */
  readonly name: string
  readonly location: DocumentLocation
}

/** Every place of a document that holds servers, whichever dialect would look there. */
export function serverRootsIn(root: DocumentLocation): readonly ServerRoot[] {
  const plain = fieldsOf(root).filter(({ key }) => serverKeys.has(key))
  const nested = nestedKeys.flatMap((path): readonly ServerRoot[] => {
    const location = descend(root, path)
    return location !== undefined && holdsServers(location) ? [{ name: path.join('.'), location }] : []
  })
  return [...plain.map((field) => ({ name: field.key, location: field })), ...nested]
}

function holdsServers(location: DocumentLocation): boolean {
  return fieldsOf(location).some((entry) =>
    ['command', 'url'].some((key) => fieldOf(entry, key) !== undefined),
  )
}
