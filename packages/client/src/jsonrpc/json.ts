export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a parsed JSON value is an object, so neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; undefined if the text is not JSON. The error of `JSON.parse` would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Some servers write a byte order mark, which JSON does not allow.
    return text.startsWith('\ufeff') ? parseJson(text.slice(1)) : undefined
  }
}
