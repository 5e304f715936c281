import type { JsonWebKey } from '../messages/oauth-documents.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { pemKeyKind, pkcs8Bytes } from './pem.ts'

/** The supported signature algorithms (RFC 7518 section 3.1, RFC 8037). */
export type JwsAlgorithm = 'ES256' | 'ES384' | 'RS256' | 'PS256' | 'EdDSA'

/** A private key. Implement it for keys that never leave a key service, or use `importSigningKey`. */
export interface SigningKey {
  /** The algorithm of the signatures. */
  readonly algorithm: JwsAlgorithm
  /** The key id, sent in the header of each JWT. Default: none. */
  readonly kid?: string | undefined
  /** Signs data with the algorithm. */
  sign(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
}

/** The WebCrypto parameters of an algorithm. */
interface AlgorithmParameters {
  readonly imported: { readonly name: string; readonly namedCurve?: string; readonly hash?: string }
  readonly signed: { readonly name: string; readonly hash?: string; readonly saltLength?: number }
}

const algorithms: Readonly<Record<JwsAlgorithm, AlgorithmParameters>> = {
  ES256: {
    imported: { name: 'ECDSA', namedCurve: 'P-256' },
    signed: { name: 'ECDSA', hash: 'SHA-256' },
  },
  ES384: {
    imported: { name: 'ECDSA', namedCurve: 'P-384' },
    signed: { name: 'ECDSA', hash: 'SHA-384' },
  },
  RS256: {
    imported: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    signed: { name: 'RSASSA-PKCS1-v1_5' },
  },
  PS256: {
    imported: { name: 'RSA-PSS', hash: 'SHA-256' },
    signed: { name: 'RSA-PSS', saltLength: 32 },
  },
  EdDSA: { imported: { name: 'Ed25519' }, signed: { name: 'Ed25519' } },
}

/** Options of {@link importSigningKey}. */
export interface SigningKeyOptions {
  /** The signature algorithm. Default: that of the key; RS256 for an RSA key that names none. */
  readonly algorithm?: JwsAlgorithm
  /** The key id. Default: the `kid` of a JWK, else none. */
  readonly kid?: string
}

/**
 * Imports a private key from PEM (PKCS #8) or a JWK. Throws `key_invalid`, or `algorithm_unsupported` if this runtime
 * cannot sign with the algorithm. The errors contain nothing of the key.
 */
export async function importSigningKey(
  key: string | JsonWebKey,
  options: SigningKeyOptions = {},
): Promise<SigningKey> {
  const algorithm = chosenAlgorithm(key, options)
  const kid = options.kid ?? (typeof key === 'string' ? undefined : key.kid)
  const imported = await importKey(key, algorithm)
  const { signed } = algorithms[algorithm]
  return {
    algorithm,
    ...(kid !== undefined && { kid }),
    sign: async (data) => new Uint8Array(await crypto.subtle.sign(signed, imported, data)),
  }
}

/** A new private key with its public members. Throws `algorithm_unsupported`. */
export async function generateKeyPair(algorithm: 'ES256' | 'ES384' | 'EdDSA'): Promise<JsonWebKey> {
  const { imported } = algorithms[algorithm]
  try {
    const pair = await crypto.subtle.generateKey(imported, true, ['sign', 'verify'])
    if (!('privateKey' in pair)) throw new TypeError('generateKey() returned no key pair')
    const { kty = '', crv, x, y, d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
    return { kty, ...defined({ crv, x, y, d }) }
  } catch {
    throw unsupported(algorithm)
  }
}

function chosenAlgorithm(key: string | JsonWebKey, options: SigningKeyOptions): JwsAlgorithm {
  const possible = typeof key === 'string' ? possibleForPem(key) : possibleForJwk(key)
  const [usual] = possible
  if (usual === undefined) throw invalidKey('is of an unsupported kind')
  const wanted = options.algorithm ?? usual
  if (!possible.includes(wanted))
    throw invalidKey(`cannot sign with ${wanted}, only with ${possible.join(' or ')}`)
  return wanted
}

function possibleForPem(pem: string): readonly JwsAlgorithm[] {
  switch (pemKeyKind(pem)) {
    case 'P-256':
      return ['ES256']
    case 'P-384':
      return ['ES384']
    case 'RSA':
      return ['RS256', 'PS256']
    case 'Ed25519':
      return ['EdDSA']
    case undefined:
      return []
  }
}

function possibleForJwk(key: JsonWebKey): readonly JwsAlgorithm[] {
  const named = Object.keys(algorithms).find((name) => name === key.alg)
  const possible = possibleForShape(key)
  return possible.filter((algorithm) => named === undefined || algorithm === named)
}

function possibleForShape({ kty, crv }: JsonWebKey): readonly JwsAlgorithm[] {
  if (kty === 'RSA') return ['RS256', 'PS256']
  if (kty === 'EC' && crv === 'P-256') return ['ES256']
  if (kty === 'EC' && crv === 'P-384') return ['ES384']
  return kty === 'OKP' && crv === 'Ed25519' ? ['EdDSA'] : []
}

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Drops the original error: some runtimes quote the key in it. */
async function importKey(key: string | JsonWebKey, algorithm: JwsAlgorithm): Promise<ImportedKey> {
  const { imported } = algorithms[algorithm]
  try {
    if (typeof key === 'string') {
      return await crypto.subtle.importKey('pkcs8', pkcs8Bytes(key), imported, false, ['sign'])
    }
    const { use: _use, alg: _alg, kid: _kid, ...members } = key
    return await crypto.subtle.importKey('jwk', members, imported, false, ['sign'])
  } catch (error) {
    if (error instanceof McpAuthError) throw error
    if (error instanceof Error && error.name === 'NotSupportedError') throw unsupported(algorithm)
    throw invalidKey('is damaged, or is not a private key')
  }
}

function invalidKey(what: string): McpAuthError {
  return new McpAuthError(`the private key ${what}`, {
    code: 'key_invalid',
    stage: 'token',
    fix: 'provide a private key for ES256, ES384, RS256, PS256 or Ed25519 as PEM (PKCS #8) or JWK',
  })
}

function unsupported(algorithm: JwsAlgorithm): McpAuthError {
  return new McpAuthError(`this runtime cannot sign with ${algorithm}`, {
    code: 'algorithm_unsupported',
    stage: 'token',
    fix: 'use a key for ES256, which every runtime supports',
  })
}

function defined<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const present = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [K in keyof T]?: NonNullable<T[K]> }
}
