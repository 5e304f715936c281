import { setMaxListeners } from 'node:events'
import type { BearerTokens } from '@toolbridge/lockbox'
import { GatewayError } from '../../errors/gateway-error.ts'
import type { Closable } from '../../lifecycle/resource-stack.ts'
import type { Principal } from '../principal.ts'
import { digestOf } from '../secrets.ts'
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
  #revoked: Promise<Set<string>> | undefined

  constructor(options: IssuerTokensOptions) {
    this.#options = options
  }

  /** Returns the principal of a token, or undefined if it is invalid, revoked, or of a person who may not sign in. */
  async principalOf(token: string): Promise<Principal | undefined> {
    const id = idOf(token)
    if ((await this.#revokedIds()).has(id)) return undefined
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
    const { principal, expiresMs } = verified
    await this.#options.store.add({
      id,
      owner: principal.id,
      kind: 'revoked',
      digest: digestOf(token),
      name: '',
      role: principal.role ?? 'member',
      scopes: [],
      createdAt: new Date(),
      expiresAt: new Date(expiresMs),
    })
    ;(await this.#revokedIds()).add(id)
    this.#forget(id)
  }

  async close(): Promise<void> {
    for (const { expiry } of this.#verified.values()) clearTimeout(expiry)
  }

  async #verify(token: string, id: string): Promise<VerifiedToken | undefined> {
    const { oidc, issuer, log } = this.#options
    const claims = await verifiedClaims(token, oidc, issuer, log)
    const found = claims && principalOfClaims(claims, oidc)
    if (claims?.exp === undefined || found === undefined) {
      this.#forget(id)
      return undefined
    }
    return this.#keep(id, found, (claims.exp + clockToleranceSeconds) * 1_000)
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
  #revokedIds(): Promise<Set<string>> {
    this.#revoked ??= this.#readRevoked()
    return this.#revoked
  }

  async #readRevoked(): Promise<Set<string>> {
    try {
      return new Set((await this.#options.store.listAll('revoked')).map(({ id }) => id))
    } catch (error) {
      this.#revoked = undefined
      throw error
    }
  }
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
