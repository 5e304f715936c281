/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Some servers write a byte order mark, which JSON does not allow.
    return text.startsWith('\ufeff') ? parseJson(text.slice(1)) : undefined
  }
}
