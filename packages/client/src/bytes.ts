/** Turns bytes into text. */
export type DecodeText = (bytes: Uint8Array) => string

/** Decodes UTF-8 and leaves byte order marks alone. One serves many texts: making it costs more than using it. */
export function utf8Decoder(): DecodeText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return (bytes) => decoder.decode(bytes)
}

/** One array of bytes from several; a single one is returned as it is. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
