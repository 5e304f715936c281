let utf8: InstanceType<typeof TextDecoder> | undefined

/** Decodes UTF-8 and leaves byte order marks alone. One decoder serves all: it keeps nothing of a text that is whole. */
export function decodeUtf8(bytes: Uint8Array): string {
  utf8 ??= new TextDecoder('utf-8', { ignoreBOM: true })
  return utf8.decode(bytes)
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
