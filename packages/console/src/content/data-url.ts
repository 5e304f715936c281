/** A media type that may be in a `data:` URL: a type and a subtype, without parameters. */
const mediaType = /^[\w.+-]+\/[\w.+-]+$/

/** Returns a `data:` URL of base64 data. An invalid media type becomes that of unknown bytes. */
export function dataUrl(mimeType: unknown, base64: string): string {
  const type =
    typeof mimeType === 'string' && mediaType.test(mimeType) ? mimeType : 'application/octet-stream'
  return `data:${type};base64,${base64}`
}

/** Returns the size of base64 data: four characters encode three bytes. */
export function sizeText(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4)
  if (bytes < 1_024) return `${bytes} bytes`
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`
}

/** Returns a text in UTF-8 as base64. */
export function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}
