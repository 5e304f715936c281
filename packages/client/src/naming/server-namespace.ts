import { namespaceNamed, urlNamespace } from './url-namespace.ts'

/** The parts of a server's configuration that its namespace can come from. */
export interface NamespaceSource {
  readonly name?: string
  readonly url?: string
  readonly command?: string
}

/**
 * The prefix of a server's tools: its configured name, else the first label of its hostname, else the name of its
 * program without extension, as an identifier.
 */
export function namespaceOf({ name, url, command = '' }: NamespaceSource): string {
  if (url === undefined) return namespaceNamed(name ?? programName(command))
  return urlNamespace({ url, ...(name === undefined ? {} : { name }) })
}

function programName(command: string): string {
  const base = command.split(/[\\/]/).at(-1) ?? command
  return base.replace(/(.)\.[^.]*$/, '$1')
}

/** Numbers the namespaces that occur more than once (`mcp`, `mcp_2`), in the order given. */
export function distinctNamespaces(namespaces: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return namespaces.map((wanted) => {
    let unique = wanted
    for (let count = 2; taken.has(unique); count++) unique = `${wanted}_${count}`
    taken.add(unique)
    return unique
  })
}
