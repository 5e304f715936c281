import { randomBytes, timingSafeEqual } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { KeyScope } from '@toolbridge/api'
import type { BearerToken, BearerTokens } from '@toolbridge/lockbox'
import { GatewayError } from '../errors/gateway-error.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { Principal, Role, TokenAudience } from './principal.ts'
import { digestOf, randomSecret } from './secrets.ts'

/** An API key to create. */
export interface NewKey {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly lifetimeMs: number
}

/** A token that was created. */
export interface CreatedToken {
  /** A secret, which cannot be read again. */
  readonly token: string
  readonly stored: BearerToken
}

/** Options of `IssuedTokens`. */
export interface IssuedTokensOptions {
  readonly store: BearerTokens
  readonly log: (line: string) => void
  /** Default: the system clock. */
  readonly now?: () => number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const idleLifetimeMs = 12 * hourMs
const signInLifetimeMs = 7 * 24 * hourMs
const maxKeysPerOwner = 100
/** The limit of Node's timers. */
const maxTimerMs = 2 ** 31 - 1

/** `tbk` for keys and `tbs` for sign-ins, so that scanners of secrets recognize them; the public id; 256 random bits. */
const tokenPattern = /^tb[ks]_([0-9a-f]{32})_[\w-]{43}$/

const idPattern = /^[0-9a-f]{32}$/

/** Whether a token has the form of one that a gateway issued. */
export function isIssuedToken(token: string): boolean {
  return tokenPattern.test(token)
}

/** A token that was used since the start, with what ends its streams and sessions. */
interface UsedToken {
  readonly stored: BearerToken
  readonly ending: AbortController
  /** Undefined if it is too far away. */
  readonly expiry: NodeJS.Timeout | undefined
  lastUsedMs: number
  recordedMs: number
}

/**
 * The API keys and sign-ins of all principals. A token is read from the store once and then kept: this process is the only
 * one on the store, so nobody else revokes it.
 */
export class IssuedTokens implements Closable {
  readonly #store: BearerTokens
  readonly #log: (line: string) => void
  readonly #now: () => number
  readonly #used = new Map<string, Promise<UsedToken | undefined>>()

  constructor({ store, log, now = Date.now }: IssuedTokensOptions) {
    this.#store = store
    this.#log = log
    this.#now = now
  }

  /**
   * Signs a principal in: the token expires after twelve hours without use, and after seven days. That of a person who signed
   * in at an issuer expires after twelve hours: the issuer may have removed them since.
   */
  signIn(principal: Principal, { isAtIssuer = false }: { isAtIssuer?: boolean } = {}): Promise<CreatedToken> {
    const scopes: readonly KeyScope[] = ['api', 'mcp']
    const lifetimeMs = isAtIssuer ? idleLifetimeMs : signInLifetimeMs
    return this.#create(principal, 'sign-in', { name: '', scopes, lifetimeMs })
  }

  /** Creates an API key. Rejects with a `GatewayError` if the principal has too many. */
  async createKey(principal: Principal, key: NewKey): Promise<CreatedToken> {
    if ((await this.#store.list(principal.id, 'key')).length >= maxKeysPerOwner)
      throw new GatewayError(
        'too_many_keys',
        `the limit is ${maxKeysPerOwner} keys; revoke one that is not used`,
      )
    return this.#create(principal, 'key', key)
  }

  /** Returns the keys of a principal, or of everyone, oldest first. */
  async keys(
    whose: { readonly of: 'owner'; readonly owner: string } | { readonly of: 'everyone' },
  ): Promise<readonly BearerToken[]> {
    const all = whose.of === 'everyone'
    const stored = await (all ? this.#store.listAll('key') : this.#store.list(whose.owner, 'key'))
    return Promise.all(stored.map((token) => this.#withLastUse(token)))
  }

  /** Returns the principal of a token, or undefined if it is wrong, revoked, expired, or not for this audience. */
  async principalOf(token: string, audience: TokenAudience): Promise<Principal | undefined> {
    const id = tokenPattern.exec(token)?.[1]
    const used = id === undefined ? undefined : await this.#find(id)
    if (used === undefined || !timingSafeEqual(used.stored.digest, digestOf(token))) return undefined
    if (this.#isExpired(used)) return this.#forget(used.stored.id)
    if (!isFor(used.stored, audience)) return undefined
    this.#recordUse(used)
    const { owner, role } = used.stored
    return { id: owner, role: roleOf(role), ended: used.ending.signal }
  }

  /** Revokes an API key of a principal. Ends its streams and sessions. Returns false if there is no such key. */
  async revokeKey(owner: string, id: string): Promise<boolean> {
    const stored = await this.#findKey(id)
    return stored?.owner === owner && this.#remove(stored)
  }

  /** Revokes an API key of anyone. */
  async revokeAnyKey(id: string): Promise<boolean> {
    const stored = await this.#findKey(id)
    return stored !== undefined && this.#remove(stored)
  }

  /** Revokes every token of a kind that a principal has. Returns their number. */
  async revokeAll(owner: string, kind: 'key' | 'sign-in'): Promise<number> {
    const stored = await this.#store.list(owner, kind)
    for (const token of stored) await this.#remove(token)
    return stored.length
  }

  /** Revokes the sign-in of this token. Has no effect on other tokens. */
  async signOut(token: string): Promise<void> {
    const stored = await this.#store.find(tokenPattern.exec(token)?.[1] ?? '')
    if (stored?.kind === 'sign-in') await this.#remove(stored)
  }

  /** Records the last uses. */
  async close(): Promise<void> {
    for (const using of this.#used.values()) {
      const used = await using.catch(() => undefined)
      if (used === undefined) continue
      clearTimeout(used.expiry)
      if (used.lastUsedMs > used.recordedMs) await this.#record(used)
    }
  }

  async #create(
    { id: owner, role = 'member' }: Principal,
    kind: 'key' | 'sign-in',
    { name, scopes, lifetimeMs }: NewKey,
  ): Promise<CreatedToken> {
    const id = randomBytes(16).toString('hex')
    const token = `${kind === 'key' ? 'tbk' : 'tbs'}_${id}_${randomSecret()}`
    const createdAt = new Date(this.#now())
    const expiresAt = new Date(this.#now() + lifetimeMs)
    const stored = { id, owner, kind, digest: digestOf(token), name, role, scopes, createdAt, expiresAt }
    await this.#store.add(stored)
    return { token, stored: { ...stored, lastUsedAt: undefined } }
  }

  async #findKey(id: string): Promise<BearerToken | undefined> {
    const stored = idPattern.test(id) ? await this.#store.find(id) : undefined
    return stored?.kind === 'key' ? stored : undefined
  }

  #find(id: string): Promise<UsedToken | undefined> {
    const finding = this.#used.get(id) ?? this.#load(id)
    this.#used.set(id, finding)
    return finding
  }

  /** Unknown ids are not kept: anyone can invent them. */
  async #load(id: string): Promise<UsedToken | undefined> {
    try {
      const stored = await this.#store.find(id)
      if (stored !== undefined && stored.kind !== 'revoked') return this.#watch(stored)
    } catch (error) {
      this.#used.delete(id)
      throw error
    }
    this.#used.delete(id)
    return undefined
  }

  #watch(stored: BearerToken): UsedToken {
    const ending = new AbortController()
    // Every open stream adds a listener, so a high number is not a leak.
    setMaxListeners(0, ending.signal)
    const leftMs = Math.max(0, stored.expiresAt.getTime() - this.#now())
    const end = (): void => ending.abort(invalidated())
    const expiry = leftMs <= maxTimerMs ? setTimeout(end, leftMs).unref() : undefined
    const lastUsedMs = stored.lastUsedAt?.getTime() ?? 0
    return { stored, ending, expiry, lastUsedMs, recordedMs: lastUsedMs }
  }

  #isExpired({ stored: { kind, createdAt, expiresAt }, lastUsedMs }: UsedToken): boolean {
    const idleMs = this.#now() - Math.max(lastUsedMs, createdAt.getTime())
    return this.#now() >= expiresAt.getTime() || (kind === 'sign-in' && idleMs >= idleLifetimeMs)
  }

  /** Written at most once a minute, and not before the request continues. */
  #recordUse(used: UsedToken): void {
    used.lastUsedMs = this.#now()
    if (used.lastUsedMs - used.recordedMs >= minuteMs) void this.#record(used)
  }

  async #record(used: UsedToken): Promise<void> {
    const { owner, id } = used.stored
    used.recordedMs = used.lastUsedMs
    await this.#store.recordUse(owner, id, new Date(used.lastUsedMs)).catch((error: unknown) => {
      this.#log(`the last use of a token could not be recorded: ${String(error)}`)
    })
  }

  async #withLastUse(token: BearerToken): Promise<BearerToken> {
    const used = await this.#used.get(token.id)
    return used === undefined || used.lastUsedMs === 0
      ? token
      : { ...token, lastUsedAt: new Date(used.lastUsedMs) }
  }

  async #remove({ owner, id }: BearerToken): Promise<boolean> {
    const isRemoved = await this.#store.remove(owner, id)
    await this.#forget(id)
    return isRemoved
  }

  async #forget(id: string): Promise<undefined> {
    const used = await this.#used.get(id)
    this.#used.delete(id)
    clearTimeout(used?.expiry)
    used?.ending.abort(invalidated())
  }
}

function roleOf(stored: string): Role {
  return stored === 'owner' || stored === 'admin' ? stored : 'member'
}

/** No key manages keys: a stolen one could create others that outlive it. */
function isFor({ kind, scopes }: BearerToken, audience: TokenAudience): boolean {
  if (audience === 'account') return kind === 'sign-in'
  return audience !== 'owner' && scopes.includes(audience)
}

function invalidated(): GatewayError {
  return new GatewayError('unauthenticated', 'the token was revoked or has expired')
}
