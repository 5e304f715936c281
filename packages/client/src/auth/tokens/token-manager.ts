import { unrefTimer } from '../../timing/unref-timer.ts'
import { abortable } from '../../async/abortable.ts'
import type { OAuthTokens } from '../messages/oauth-documents.ts'
import type { AuthSend } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import type { AuthKey, DropReason, McpAuthProvider, TokenRecord } from '../stores/auth-store.ts'
import { renew } from './refresh.ts'
import {
  droppedRecord,
  expiryOf,
  type UsableRecord,
  refreshTimeOf,
  storedTokens,
  hasTokens,
  isRefreshable,
  issuedRecord,
  updateRecord,
} from './token-record.ts'
import type { StoredTokens, IssuedTokens, RefreshExchange } from './refresh-exchange.ts'

/** Usable tokens. `refreshError` is why an early refresh failed while the access token can still be used. */
export type CurrentTokens = StoredTokens & { readonly refreshError?: Error }

/** Options of {@link createTokenManager}. */
export interface TokenManagerOptions {
  readonly provider: McpAuthProvider
  readonly key: AuthKey
  readonly exchange: RefreshExchange
  readonly send: AuthSend
  readonly now?: () => number
  readonly random?: () => number
}

/** Refreshes one set of tokens in time, coordinated with all processes that share the store. */
export interface TokenManager {
  /** The cached tokens if they need no refresh yet. Never waits, so it can be used for every call. */
  peek(): StoredTokens | undefined
  /**
   * Tokens that can be sent now, refreshed if they are about to expire. Undefined if a person has to sign in: there are
   * none, or they expired and cannot be refreshed. Rejects with `refresh_outcome_unknown`, `invalid_grant`,
   * `invalid_client` (then the tokens are dropped) or with the error of the refresh request.
   */
  current(options?: { readonly signal?: AbortSignal }): Promise<CurrentTokens | undefined>
  /** Like `current` after the resource refused this generation: newer tokens of another process, else a refresh. */
  replace(
    refused: { readonly generation: number },
    options?: { readonly signal?: AbortSignal },
  ): Promise<CurrentTokens | undefined>
  /** Usable tokens that another process stored after this generation, if any. Sends nothing. */
  newer(than: { readonly generation: number }): Promise<StoredTokens | undefined>
  /** Stores the tokens of a new sign-in as a new generation, also after an unknown outcome or a drop. */
  login(tokens: OAuthTokens, belongings?: Omit<IssuedTokens, 'tokens'>): Promise<StoredTokens>
  /** Removes the tokens, for example because they were revoked. */
  drop(reason: DropReason): Promise<void>
  /** Waits for a refresh in progress, so that its response is not lost. */
  close(): Promise<void>
}

/** Creates a {@link TokenManager}, which reads nothing until its first use. The caller closes it. */
export function createTokenManager(options: TokenManagerOptions): TokenManager {
  return new SharedTokenManager(options)
}

/** Time limit of one refresh, including the lease and the look-up of endpoints. */
const REFRESH_DEADLINE_MS = 120_000

/** How long a usable token is used after an early refresh failed, before the next attempt. */
const EARLY_RETRY_MS = 10_000

type Waiting = { readonly signal?: AbortSignal }
type Flight = { readonly stale: number; readonly result: Promise<UsableRecord | undefined> }

class SharedTokenManager implements TokenManager {
  readonly #options: TokenManagerOptions
  readonly #now: () => number
  readonly #random: () => number
  #held: StoredTokens | undefined
  #dueAtMs = 0
  #flight: Flight | undefined

  constructor(options: TokenManagerOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#random = options.random ?? Math.random
  }

  peek(): StoredTokens | undefined {
    return this.#now() < this.#dueAtMs ? this.#held : undefined
  }

  async current({ signal }: Waiting = {}): Promise<CurrentTokens | undefined> {
    const atHand = this.peek()
    if (atHand !== undefined) return atHand
    const record = this.#adopt(await abortable(this.#stored(), signal))
    if (record === undefined) return undefined
    if (this.#now() < this.#dueAtMs) return storedTokens(record)
    return this.#refreshed(record, signal)
  }

  async replace(
    refused: { readonly generation: number },
    { signal }: Waiting = {},
  ): Promise<CurrentTokens | undefined> {
    const stored = await abortable(this.#stored(), signal)
    const isNewer = stored !== undefined && stored.generation > refused.generation
    const renewed = isNewer ? this.#adopt(stored) : await abortable(this.#renew(refused.generation), signal)
    if (renewed === undefined || renewed.generation <= refused.generation) return undefined
    return this.current(signal === undefined ? {} : { signal })
  }

  async newer(than: { readonly generation: number }): Promise<StoredTokens | undefined> {
    const record = this.#adopt(await this.#stored())
    if (record === undefined || record.generation <= than.generation) return undefined
    return this.#isUsable(record) ? storedTokens(record) : undefined
  }

  async login(tokens: OAuthTokens, belongings: Omit<IssuedTokens, 'tokens'> = {}): Promise<StoredTokens> {
    const record = await updateRecord(this.#options, (stored) =>
      issuedRecord(stored, { ...belongings, tokens }, this.#now()),
    )
    this.#adopt(record)
    return storedTokens(record)
  }

  async drop(reason: DropReason): Promise<void> {
    this.#adopt(undefined)
    if ((await this.#stored()) === undefined) return
    await updateRecord(this.#options, (stored) => droppedRecord(stored, reason))
  }

  async close(): Promise<void> {
    await this.#flight?.result.catch(() => undefined)
  }

  #stored(): Promise<TokenRecord | undefined> {
    return this.#options.provider.tokens(this.#options.key)
  }

  /** Refreshes tokens that are due. If that fails or is impossible, resolves with the current ones while they are usable. */
  async #refreshed(
    record: UsableRecord,
    signal: AbortSignal | undefined,
  ): Promise<CurrentTokens | undefined> {
    if (!isRefreshable(record)) return this.#isUsable(record) ? this.#useOn(record) : undefined
    try {
      const renewed = await abortable(this.#renew(record.generation), signal)
      if (renewed === undefined || this.#isUsable(renewed)) return renewed && storedTokens(renewed)
      // Another process refreshed them, but they have expired again.
      return renewed.generation > record.generation ? await this.#refreshed(renewed, signal) : undefined
    } catch (error) {
      signal?.throwIfAborted()
      const stored = await this.#stored().catch(() => undefined)
      if (!(error instanceof Error) || stored === undefined || !hasTokens(stored)) throw error
      if (!this.#isUsable(stored)) throw error
      return { ...this.#useOn(stored), refreshError: error }
    }
  }

  #useOn(record: UsableRecord): StoredTokens {
    this.#adopt(record)
    this.#dueAtMs = Math.min(this.#now() + EARLY_RETRY_MS, expiryOf(record))
    return storedTokens(record)
  }

  #isUsable(record: UsableRecord): boolean {
    return this.#now() < expiryOf(record)
  }

  /** One refresh at a time in this process; its result is used even if nobody waits for it any more. */
  #renew(stale: number): Promise<UsableRecord | undefined> {
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

  async #renewInTime(stale: number): Promise<UsableRecord | undefined> {
    const deadline = new AbortController()
    const timer = unrefTimer(setTimeout(() => deadline.abort(tooSlow()), REFRESH_DEADLINE_MS))
    try {
      return this.#adopt(await renew({ ...this.#options, now: this.#now }, stale, deadline.signal))
    } finally {
      clearTimeout(timer)
    }
  }

  #adopt(record: TokenRecord | undefined): UsableRecord | undefined {
    if (record === undefined || !hasTokens(record)) {
      this.#held = undefined
      this.#dueAtMs = 0
      return undefined
    }
    const { generation, tokens } = this.#held ?? {}
    if (generation !== record.generation || tokens?.access_token !== record.state.tokens.access_token) {
      this.#held = storedTokens(record)
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
