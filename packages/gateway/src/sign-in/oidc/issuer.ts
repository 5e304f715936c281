import { isJsonObject } from '@toolbridge/client/internal'
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import { GatewayError } from '../../errors/gateway-error.ts'
import { isSafeUrl } from './oidc-options.ts'

/** The metadata of an issuer that the gateway uses. */
export interface IssuerMetadata {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Returns the key of a token. Fetches the issuer's keys again if it has none with the token's key id. */
  readonly keys: JWTVerifyGetKey
}

const timeoutMs = 10_000
/** How long a key counts that the issuer has withdrawn. */
const keysForMs = 5 * 60_000
/** Limits how often invalid tokens can make the gateway fetch something. */
const retryAfterMs = 5_000

/** An OpenID Connect issuer. Its metadata is fetched on first use. */
export class Issuer {
  readonly #url: string
  readonly #log: (line: string) => void
  #metadata: Promise<IssuerMetadata> | undefined

  constructor(url: string, log: (line: string) => void) {
    this.#url = url
    this.#log = log
  }

  /** Rejects with a `GatewayError` if the issuer cannot be used; tried again after five seconds. */
  metadata(): Promise<IssuerMetadata> {
    this.#metadata ??= this.#discover()
    return this.#metadata
  }

  async #discover(): Promise<IssuerMetadata> {
    try {
      return metadataIn(await fetchJson(discoveryUrl(this.#url)), this.#url)
    } catch (error) {
      setTimeout(() => {
        this.#metadata = undefined
      }, retryAfterMs).unref()
      throw issuerUnreachable(error, this.#log)
    }
  }
}

/** Logs the reason, which callers do not get. */
export function issuerUnreachable(error: unknown, log: (line: string) => void): GatewayError {
  log(`the issuer cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  return new GatewayError('issuer_unreachable', 'try again later')
}

function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new TypeError(`${url} answered with status ${response.status}`)
  return response.json()
}

function metadataIn(document: unknown, url: string): IssuerMetadata {
  const metadata = isJsonObject(document) ? document : {}
  if (metadata['issuer'] !== url)
    throw new TypeError(`its metadata is that of ${String(metadata['issuer'])}, not of ${url}`)
  return {
    authorizationEndpoint: urlIn(metadata, 'authorization_endpoint'),
    tokenEndpoint: urlIn(metadata, 'token_endpoint'),
    keys: createRemoteJWKSet(new URL(urlIn(metadata, 'jwks_uri')), {
      timeoutDuration: timeoutMs,
      cacheMaxAge: keysForMs,
    }),
  }
}

function urlIn(metadata: Readonly<Record<string, unknown>>, field: string): string {
  const url = metadata[field]
  if (typeof url === 'string' && isSafeUrl(url)) return url
  throw new TypeError(`"${field}" of its metadata is not an https URL`)
}
