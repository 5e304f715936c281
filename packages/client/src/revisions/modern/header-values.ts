const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/
const LOOKS_ENCODED = /^=\?base64\?.*\?=$/

/** Encodes a text as the value of an HTTP header, unless it can be sent as it is. */
export function headerValue(text: string): string {
  if (PLAIN.test(text) && !LOOKS_ENCODED.test(text)) return text
  return `=?base64?${base64(new TextEncoder().encode(text))}?=`
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
