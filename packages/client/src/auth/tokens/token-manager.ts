import { unrefTimer } from '../../timing/unref-timer.ts'
import { abandonable } from '../stores/abandonable.ts'
import type { OAuthTokens } from '../messages/oauth-documents.ts'
import { type AuthSend, McpAuthError } from '../messages/mcp-auth-error.ts'
import type { AuthKey, DropReason, McpAuthProvider, TokenRecord } from '../stores/auth-store.ts'
import { renew } from './refresh.ts'
import {
  droppedRecord,
  type HeldRecord,
  heldTokens,
  isHeld,
  isRefreshable,
  loggedIn,
  rewrite,
} from './token-record.ts'
import type { HeldTokens, LoggedIn, RefreshExchange } from './refresh-exchange.ts'
import { expiryOf, refreshTimeOf } from './token-age.ts'

/** Usable tokens. `trouble` is why an early refresh failed while the access token could still be used. */
export type CurrentTokens = HeldTokens & { readonly trouble?: Error }

/** What a {@link TokenKeeper} is made of. */
export interface TokenKeeperOptions {
  readonly provider: McpAuthProvider
  readonly key: AuthKey
  readonly exchange: RefreshExchange
  readonly send: AuthSend
  readonly now?: () => number
  readonly random?: () => number
}

/** Keeps one set of tokens fresh, together with every other process that shares the store. */
export interface TokenKeeper {
  /** The tokens at hand if they need no refresh yet; never waits, so it suits the path of every call. */
  peek(): HeldTokens | undefined
  /**
   * Tokens that can be sent now, refreshed if they are about to expire. Undefined when a person has to log in: there
   * are none, or they expired and cannot be refreshed. Rejects with `refresh_outcome_unknown`, `invalid_grant`,
   * `invalid_client` (then the tokens are gone) or with what kept the refresh from being answered.
   */
  current(options?: { readonly signal?: AbortSignal }): Promise<CurrentTokens | undefined>
  /** The same after the resource refused this generation: newer tokens of another process, else a refresh. */
  replace(
    refused: { readonly generation: number },
    options?: { readonly signal?: AbortSignal },
  ): Promise<CurrentTokens | undefined>
  /** Usable tokens that another process stored since this generation, if any; sends nothing. */
  newer(than: { readonly generation: number }): Promise<HeldTokens | undefined>
  /** Stores the tokens of a new login as a new generation. Heals an unknown outcome and whatever was dropped. */
  login(tokens: OAuthTokens, belongings?: Omit<LoggedIn, 'tokens'>): Promise<HeldTokens>
  /** Forgets the tokens, for instance because they were revoked. */
  drop(reason: DropReason): Promise<void>
  /** Waits for a refresh that is under way, so that its answer is not lost. */
  close(): Promise<void>
}

/** Makes a {@link TokenKeeper}, which reads nothing before it is asked. Whoever makes it closes it. */
export function createTokenKeeper(options: TokenKeeperOptions): TokenKeeper {
  return new SharedTokenKeeper(options)
}

/** All of one refresh: waiting for others, looking up endpoints, the exchange itself. */
const REFRESH_DEADLINE_MS = 120_000

/** How long a usable token is used on after an early refresh failed. */
const EARLY_RETRY_MS = 10_000

type Waiting = { readonly signal?: AbortSignal }
type Flight = { readonly stale: number; readonly result: Promise<HeldRecord | undefined> }

class SharedTokenKeeper implements TokenKeeper {
  readonly #options: TokenKeeperOptions
  readonly #now: () => number
  readonly #random: () => number
  #held: HeldTokens | undefined
  #dueAtMs = 0
  #flight: Flight | undefined

  constructor(options: TokenKeeperOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#random = options.random ?? Math.random
  }

  peek(): HeldTokens | undefined {
    return this.#now() < this.#dueAtMs ? this.#held : undefined
  }

  async current({ signal }: Waiting = {}): Promise<CurrentTokens | undefined> {
    const atHand = this.peek()
    if (atHand !== undefined) return atHand
    const record = this.#adopt(await abandonable(this.#stored(), signal))
    if (record === undefined) return undefined
    if (this.#now() < this.#dueAtMs) return heldTokens(record)
    return this.#refreshed(record, signal)
  }

  async replace(
    refused: { readonly generation: number },
    { signal }: Waiting = {},
  ): Promise<CurrentTokens | undefined> {
    const stored = await abandonable(this.#stored(), signal)
    const isNewer = stored !== undefined && stored.generation > refused.generation
    const renewed = isNewer ? this.#adopt(stored) : await abandonable(this.#renew(refused.generation), signal)
    if (renewed === undefined || renewed.generation <= refused.generation) return undefined
    return this.current(signal === undefined ? {} : { signal })
  }

  async newer(than: { readonly generation: number }): Promise<HeldTokens | undefined> {
    const record = this.#adopt(await this.#stored())
    if (record === undefined || record.generation <= than.generation) return undefined
    return this.#isUsable(record) ? heldTokens(record) : undefined
  }

  async login(tokens: OAuthTokens, belongings: Omit<LoggedIn, 'tokens'> = {}): Promise<HeldTokens> {
    const record = await rewrite(this.#options, (stored) =>
      loggedIn(stored, { ...belongings, tokens }, this.#now()),
    )
    this.#adopt(record)
    return heldTokens(record)
  }

  async drop(reason: DropReason): Promise<void> {
    this.#adopt(undefined)
    if ((await this.#stored()) === undefined) return
    await rewrite(this.#options, (stored) => droppedRecord(stored, reason))
  }

  async close(): Promise<void> {
    await this.#flight?.result.catch(() => undefined)
  }

  #stored(): Promise<TokenRecord | undefined> {
    return this.#options.provider.tokens(this.#options.key)
  }

  /** Tokens that are due: refreshed, or as they are while they can still be used and nothing better is to be had. */
  async #refreshed(record: HeldRecord, signal: AbortSignal | undefined): Promise<CurrentTokens | undefined> {
    if (!isRefreshable(record)) return this.#isUsable(record) ? this.#useOn(record) : undefined
    try {
      const renewed = await abandonable(this.#renew(record.generation), signal)
      if (renewed === undefined || this.#isUsable(renewed)) return renewed && heldTokens(renewed)
      // Another process refreshed them so long ago that they have expired again.
      return renewed.generation > record.generation ? await this.#refreshed(renewed, signal) : undefined
    } catch (error) {
      signal?.throwIfAborted()
      const stored = await this.#stored().catch(() => undefined)
      if (!(error instanceof Error) || stored === undefined || !isHeld(stored)) throw error
      if (!this.#isUsable(stored)) throw error
      return { ...this.#useOn(stored), trouble: error }
    }
  }

  #useOn(record: HeldRecord): HeldTokens {
    this.#adopt(record)
    this.#dueAtMs = Math.min(this.#now() + EARLY_RETRY_MS, expiryOf(record))
    return heldTokens(record)
  }

  #isUsable(record: HeldRecord): boolean {
    return this.#now() < expiryOf(record)
  }

  /** One refresh at a time in this process; what came of it is adopted whoever still waits for it. */
  #renew(stale: number): Promise<HeldRecord | undefined> {
    if (this.#flight?.stale !== stale) {
      const flight = { stale, result: this.#renewInTime(stale) }
      const land = (): void => {
        if (this.#flight === flight) this.#flight = undefined
      }
      flight.result.then(land, land)
      this.#flight = flight
    }
    return this.#flight.result
  }

  async #renewInTime(stale: number): Promise<HeldRecord | undefined> {
    const deadline = new AbortController()
    const timer = unrefTimer(setTimeout(() => deadline.abort(tooSlow()), REFRESH_DEADLINE_MS))
    try {
      return this.#adopt(await renew({ ...this.#options, now: this.#now }, stale, deadline.signal))
    } finally {
      clearTimeout(timer)
    }
  }

  #adopt(record: TokenRecord | undefined): HeldRecord | undefined {
    if (record === undefined || !isHeld(record)) {
      this.#held = undefined
      this.#dueAtMs = 0
      return undefined
    }
    const { generation, tokens } = this.#held ?? {}
    if (generation !== record.generation || tokens?.access_token !== record.state.tokens.access_token) {
      this.#held = heldTokens(record)
      this.#dueAtMs = refreshTimeOf(record, this.#random())
    }
    return record
  }
}

function tooSlow(): McpAuthError {
  return new McpAuthError(`the tokens were not refreshed within ${REFRESH_DEADLINE_MS / 1_000} s`, {
    code: 'timeout',
    stage: 'refresh',
    fix: 'try again later',
  })
}
