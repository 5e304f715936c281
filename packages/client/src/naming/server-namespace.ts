/** What a server's namespace is made of, the first that is there. */
export interface NamespaceSource {
  readonly name?: string
  readonly url?: string
  readonly command?: string
}

/**
 * The prefix of a server's tools: its configured name, else the first label of its host, else its program's name
 * without extension. Characters that model interfaces refuse become `_`.
 */
export function namespaceOf({ name, url, command }: NamespaceSource): string {
  const given = name ?? (url === undefined ? programName(command ?? '') : hostLabel(url))
  return given.replaceAll(/[^A-Za-z0-9_-]/g, '_') || 'mcp'
}

/** An address that is none is refused by whoever is to reach it. */
function hostLabel(url: string): string {
  const hostname = URL.canParse(url) ? new URL(url).hostname : ''
  // An address has no labels: its first number says no more than the others.
  return /^[\d.]+$|^\[/.test(hostname) ? hostname : (hostname.split('.')[0] ?? hostname)
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
