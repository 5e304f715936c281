import { McpAuthError } from '../messages/mcp-auth-error.ts'

/** Bytes as base64url without padding (RFC 7515 section 2). */
export function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Bytes as base64 with padding. */
export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Text as the base64url of its UTF-8 bytes. */
export function base64urlText(text: string): string {
  return base64url(new TextEncoder().encode(text))
}

/** The SHA-256 of a text as base64url. Throws `algorithm_unsupported` on an insecure page. */
export async function sha256Base64url(text: string): Promise<string> {
  if (!hasWebCrypto()) throw insecurePage()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64url(new Uint8Array(digest))
}

/** 256 random bits as base64url: 43 characters. */
export function randomBase64url(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

function hasWebCrypto(): boolean {
  return 'subtle' in crypto && typeof crypto.subtle === 'object'
}

function insecurePage(): McpAuthError {
  return new McpAuthError('this page has no WebCrypto, which browsers offer only to secure pages', {
    code: 'algorithm_unsupported',
    stage: 'authorization',
    fix: 'load the page over https or from localhost',
  })
}
