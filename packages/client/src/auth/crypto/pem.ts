import { McpAuthError } from '../messages/mcp-auth-error.ts'

/** The supported kinds of private keys. */
export type PemKeyKind = 'P-256' | 'P-384' | 'RSA' | 'Ed25519'

/** Object identifiers as they appear in DER (RFC 5480, RFC 8017, RFC 8410). */
const identifiers: Readonly<Record<PemKeyKind, string>> = {
  'P-256': '06082a8648ce3d030107',
  'P-384': '06052b81040022',
  RSA: '06092a864886f70d010101',
  Ed25519: '06032b6570',
}

/** The algorithm identifier is at the start of a PKCS #8 document; later the same bytes mean nothing. */
const IDENTIFIER_BYTES = 48

/** The kind of the key in a PEM text, or undefined if it is not supported. Throws `key_invalid`. */
export function pemKeyKind(pem: string): PemKeyKind | undefined {
  const start = Array.from(pkcs8Bytes(pem).subarray(0, IDENTIFIER_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const kinds: readonly PemKeyKind[] = ['P-256', 'P-384', 'RSA', 'Ed25519']
  return kinds.find((kind) => start.includes(identifiers[kind]))
}

/** The PKCS #8 document in a PEM text. Throws `key_invalid`, which never quotes the text. */
export function pkcs8Bytes(pem: string): Uint8Array<ArrayBuffer> {
  const [, opening, body = '', closing] =
    /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END ([A-Z0-9 ]+)-----/.exec(pem) ?? []
  const label = opening === closing ? opening : undefined
  if (label !== 'PRIVATE KEY') throw invalidPem(label)
  try {
    return Uint8Array.from(atob(body.replaceAll(/\s+/g, '')), (character) => character.charCodeAt(0))
  } catch {
    throw invalidPem(label)
  }
}

const reasons: Readonly<Record<string, string>> = {
  'PRIVATE KEY': 'is damaged: its body is not base64',
  'ENCRYPTED PRIVATE KEY': 'is encrypted',
  'RSA PRIVATE KEY': 'is in the older PKCS #1 form',
  'EC PRIVATE KEY': 'is in the older SEC 1 form',
  'PUBLIC KEY': 'is a public key',
  CERTIFICATE: 'is a certificate',
}

function invalidPem(label: string | undefined): McpAuthError {
  return new McpAuthError(`the private key ${reasons[label ?? ''] ?? 'is not PEM'}`, {
    code: 'key_invalid',
    stage: 'token',
    fix: 'convert the private key with: openssl pkcs8 -topk8 -nocrypt -in key.pem',
  })
}
