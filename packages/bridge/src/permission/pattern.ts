/** What a rule's pattern matches: the public name of a tool, or its server and that server's own name for it. */
export type Pattern =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pair'; readonly server: string; readonly tool: string }

/** Reads a pattern; undefined for a text that is none. */
export function parsePattern(text: string): Pattern | undefined {
  if (text.startsWith('mcp://')) {
    const [, server, tool] = /^mcp:\/\/([^/]+)\/(.+)$/s.exec(text) ?? []
    return server === undefined || tool === undefined ? undefined : { kind: 'pair', server, tool }
  }
  const [, name] = /^mcp:(.+)$/s.exec(text) ?? []
  return name === undefined ? undefined : { kind: 'name', name }
}
