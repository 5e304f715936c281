import { setMaxListeners } from 'node:events'
import type { BearerTokens } from '@toolbridge/lockbox'
import type { JWTPayload } from 'jose'
import { GatewayError } from '../../errors/gateway-error.ts'
import type { Closable } from '../../lifecycle/resource-stack.ts'
import type { Principal } from '../principal.ts'
import { digestOf, randomSecret } from '../secrets.ts'
import type { Issuer } from './issuer.ts'
import type { OidcOptions } from './oidc-options.ts'
import { principalOfClaims } from './principal-of-claims.ts'
import { clockToleranceSeconds, verifiedClaims } from './verify-token.ts'

/** Options of `IssuerTokens`. */
export interface IssuerTokensOptions {
  readonly oidc: OidcOptions
  readonly issuer: Issuer
  readonly store: BearerTokens
  readonly log: (line: string) => void
}

/** A verified token, with what ends its streams and sessions. */
interface VerifiedToken {
  readonly principal: Principal
  readonly ending: AbortController
  readonly expiresMs: number
  readonly expiry: NodeJS.Timeout
  readonly verifiedMs: number
}

/** Tokens that were signed out. */
interface RevokedTokens {
  readonly ids: Set<string>
  /** By principal: tokens that were issued until this time. */
  readonly untilMs: Map<string, number>
}

/** Name of a stored row that refuses all tokens of its owner until its creation. */
const everything = 'everything'
/** No token should live longer. */
const everythingForMs = 366 * 24 * 60 * 60_000

/** How long a signature counts: a key that the issuer withdraws is refused after this. */
const verifiedForMs = 60_000
const maxKept = 10_000
/** The limit of Node's timers. */
const maxTimerMs = 2 ** 31 - 1

/** Whether a token has the form of a JWT. */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

/** The access tokens of an issuer. */
export class IssuerTokens implements Closable {
  readonly #options: IssuerTokensOptions
  /** By the digest of the token, the longest known first. */
  readonly #verified = new Map<string, VerifiedToken>()
  #revoked: Promise<RevokedTokens> | undefined

  constructor(options: IssuerTokensOptions) {
    this.#options = options
  }

  /** Returns the principal of a token, or undefined if it is invalid, revoked, or of a person who may not sign in. */
  async principalOf(token: string): Promise<Principal | undefined> {
    const id = idOf(token)
    if ((await this.#revokedTokens()).ids.has(id)) return undefined
    const known = this.#verified.get(id)
    if (known !== undefined && Date.now() - known.verifiedMs < verifiedForMs && !known.ending.signal.aborted)
      return known.principal
    return (await this.#verify(token, id))?.principal
  }

  /** Refuses the token from now on. */
  async signOut(token: string): Promise<void> {
    const id = idOf(token)
    const verified = this.#verified.get(id) ?? (await this.#verify(token, id))
    if (verified === undefined) return
    await this.#store(id, verified.principal.id, { name: '', expiresMs: verified.expiresMs })
    ;(await this.#revokedTokens()).ids.add(id)
    this.#forget(id)
  }

  /** Refuses all tokens that were issued to a principal until now. */
  async signOutEverywhere(principal: string): Promise<void> {
    const nowMs = Date.now()
    await this.#store(idOf(randomSecret()), principal, {
      name: everything,
      expiresMs: nowMs + everythingForMs,
    })
    ;(await this.#revokedTokens()).untilMs.set(principal, nowMs)
    for (const [id, known] of this.#verified) if (known.principal.id === principal) this.#forget(id)
  }

  async close(): Promise<void> {
    for (const { expiry } of this.#verified.values()) clearTimeout(expiry)
  }

  async #verify(token: string, id: string): Promise<VerifiedToken | undefined> {
    const { oidc, issuer, log } = this.#options
    const claims = await verifiedClaims(token, oidc, issuer, log)
    const found = claims && principalOfClaims(claims, oidc)
    const { untilMs } = await this.#revokedTokens()
    if (claims?.exp === undefined || found === undefined || isUntil(untilMs.get(found.id), claims)) {
      this.#forget(id)
      return undefined
    }
    return this.#keep(id, found, (claims.exp + clockToleranceSeconds) * 1_000)
  }

  #store(id: string, owner: string, { name, expiresMs }: { name: string; expiresMs: number }): Promise<void> {
    const [createdAt, expiresAt] = [new Date(), new Date(expiresMs)]
    const digest = Buffer.from(id, 'hex')
    const row = { id, owner, digest, name, createdAt, expiresAt }
    return this.#options.store.add({ ...row, kind: 'revoked', role: 'member', scopes: [] })
  }

  /** A token that is verified again keeps its signal: streams that are open listen to it. */
  #keep(id: string, found: Principal, expiresMs: number): VerifiedToken {
    const known = this.#verified.get(id)
    const ending = known?.ending ?? endingController()
    clearTimeout(known?.expiry)
    const expiry = setTimeout(() => this.#forget(id), Math.min(expiresMs - Date.now(), maxTimerMs)).unref()
    const principal = { ...found, ended: ending.signal }
    const verified = { principal, ending, expiresMs, expiry, verifiedMs: Date.now() }
    this.#verified.set(id, verified)
    const [oldest] = this.#verified.keys()
    if (this.#verified.size > maxKept && oldest !== undefined) this.#forget(oldest)
    return verified
  }

  #forget(id: string): void {
    const known = this.#verified.get(id)
    this.#verified.delete(id)
    clearTimeout(known?.expiry)
    known?.ending.abort(new GatewayError('unauthenticated', 'the token was revoked or has expired'))
  }

  /** Read once: this process is the only one on the store. */
  #revokedTokens(): Promise<RevokedTokens> {
    this.#revoked ??= this.#readRevoked()
    return this.#revoked
  }

  async #readRevoked(): Promise<RevokedTokens> {
    try {
      const rows = await this.#options.store.listAll('revoked')
      const whole = rows.filter(({ name }) => name === everything)
      return {
        ids: new Set(rows.map(({ id }) => id)),
        // Oldest first, so that the last row of an owner counts.
        untilMs: new Map(whole.map(({ owner, createdAt }) => [owner, createdAt.getTime()])),
      }
    } catch (error) {
      this.#revoked = undefined
      throw error
    }
  }
}

/** Whether a token was issued until a time. One without a time of issue may have any age. */
function isUntil(untilMs: number | undefined, { iat = 0 }: JWTPayload): boolean {
  return untilMs !== undefined && iat * 1_000 <= untilMs
}

function endingController(): AbortController {
  const ending = new AbortController()
  // Every open stream adds a listener, so a high number is not a leak.
  setMaxListeners(0, ending.signal)
  return ending
}

function idOf(token: string): string {
  return digestOf(token).toString('hex')
}
