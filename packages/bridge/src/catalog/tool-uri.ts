/** The URI of a tool. Both parts are percent-encoded, also `*` and `(`, which are special in permission rules. */
export function toolUri(server: string, tool: string): string {
  return `mcp://${encodePart(server)}/${encodePart(tool)}`
}

const plain = /^[A-Za-z0-9_.~-]*$/

function encodePart(part: string): string {
  if (plain.test(part)) return part
  return part
    .split(/(\p{Surrogate})/u)
    .map(encodeStretch)
    .join('')
}

/** A lone surrogate has no UTF-8 encoding; it is encoded by its code point. */
function encodeStretch(stretch: string): string {
  if (!/^\p{Surrogate}$/u.test(stretch))
    return encodeURIComponent(stretch).replaceAll('*', '%2A').replaceAll('(', '%28')
  const code = stretch.charCodeAt(0)
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
    .map((byte) => `%${byte.toString(16).toUpperCase()}`)
    .join('')
}
