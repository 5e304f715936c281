import { descend } from '../dialects/shapes.ts'
import { fieldOf, fieldsOf, type Place } from '../documents/config-document.ts'

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
export interface ServerPlace {
  /** The keys that lead there. */
  readonly name: string
  readonly place: Place
}

/** Every place of a document that holds servers, whichever dialect would look there. */
export function serverPlacesIn(root: Place): readonly ServerPlace[] {
  const plain = fieldsOf(root).filter(({ key }) => serverKeys.has(key))
  const nested = nestedKeys.flatMap((path): readonly ServerPlace[] => {
    const place = descend(root, path)
    return place !== undefined && holdsServers(place) ? [{ name: path.join('.'), place }] : []
  })
  return [...plain.map((field) => ({ name: field.key, place: field })), ...nested]
}

function holdsServers(place: Place): boolean {
  return fieldsOf(place).some((entry) => ['command', 'url'].some((key) => fieldOf(entry, key) !== undefined))
}
