/**
 * Parses an env file of `NAME=value` lines. Allows `export`, quoted values, blank lines, comments and Windows line
 * endings. Variables are not expanded.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\uFEFF?\s*(?:export\s+)?([^\s=#]+)\s*=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, plainValue(value.trim())] as const]
  })
  return new Map(pairs)
}

function plainValue(text: string): string {
  const inQuotes = text.startsWith("'") ? /^'(.*?)'\s*(?:#|$)/ : /^"(.*?)"\s*(?:#|$)/
  const [, quoted] = inQuotes.exec(text) ?? []
  if (quoted !== undefined) return quoted
  const comment = /(?:^|\s)#/.exec(text)
  return comment === null ? text : text.slice(0, comment.index).trimEnd()
}
