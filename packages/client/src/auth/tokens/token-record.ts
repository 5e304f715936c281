import { McpAuthError } from '../messages/mcp-auth-error.ts'
import type { AuthKey, AuthStore, DropReason, TokenRecord, TokenState } from '../stores/auth-store.ts'
import type { StoredTokens, IssuedTokens } from './refresh-exchange.ts'

/** A record with tokens. */
export type UsableRecord = TokenRecord & { readonly state: Exclude<TokenState, { kind: 'dropped' }> }

/** A record whose refresh token is being sent. */
export type RefreshingRecord = TokenRecord & { readonly state: Extract<TokenState, { kind: 'refreshing' }> }

/** Whether the record has tokens. */
export function hasTokens(record: TokenRecord): record is UsableRecord {
  return record.state.kind !== 'dropped'
}

/** Whether the record has a refresh token. */
export function isRefreshable(record: TokenRecord): record is UsableRecord {
  return hasTokens(record) && record.state.tokens.refresh_token !== undefined
}

/** The tokens of a record. */
export function storedTokens({ generation, dpopKey, client, state }: UsableRecord): StoredTokens {
  return {
    tokens: state.tokens,
    generation,
    ...(dpopKey !== undefined && { dpopKey }),
    ...(client !== undefined && { client }),
  }
}

/** The next record after the tokens are dropped. */
export function droppedRecord(record: TokenRecord | undefined, reason: DropReason): TokenRecord {
  const { version, generation, obtainedAtMs } = record ?? { version: 0, generation: 0, obtainedAtMs: 0 }
  return { version: version + 1, generation, obtainedAtMs, state: { kind: 'dropped', reason } }
}

/** The next record after a new sign-in. */
export function issuedRecord(
  record: TokenRecord | undefined,
  { tokens, ...belongings }: IssuedTokens,
  atMs: number,
): UsableRecord {
  return {
    version: (record?.version ?? 0) + 1,
    generation: (record?.generation ?? 0) + 1,
    obtainedAtMs: atMs,
    ...belongings,
    state: { kind: 'held', tokens },
  }
}

const WRITE_ATTEMPTS = 20

/** Changes a record despite concurrent writes. Needs no lease, so a hanging process cannot block it. */
export async function updateRecord<T extends TokenRecord>(
  { provider, key }: { readonly provider: AuthStore; readonly key: AuthKey },
  change: (stored: TokenRecord | undefined) => T,
): Promise<T> {
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const stored = await provider.tokens(key)
    const changed = change(stored)
    if (await provider.saveTokens(key, changed, stored?.version)) return changed
  }
  throw contentionError()
}

/** The error for a record that changed before every attempt to write it. */
export function contentionError(): McpAuthError {
  return new McpAuthError('the stored tokens changed before every attempt to write them', {
    code: 'storage_failed',
    stage: 'storage',
    fix: 'try again; if it persists, make sure that the lease of the store excludes other processes',
  })
}

const EARLY_MS = 60_000

/** The random variation of the refresh time between processes that share tokens. */
const JITTER = 0.25

/**
 * When the access token expires. Infinity if the server did not report it, or reported a time before the token was
 * issued.
 */
export function expiryOf({ state, obtainedAtMs }: UsableRecord): number {
  const { expiresAtMs } = state.tokens
  return expiresAtMs !== undefined && expiresAtMs > obtainedAtMs ? expiresAtMs : Number.POSITIVE_INFINITY
}

/**
 * When to refresh: a minute before the expiry, and earlier by a random amount (`random` is between 0 and 1). Tokens with
 * a lifetime under two minutes are refreshed about halfway; else every call would refresh them.
 */
export function refreshTimeOf(record: UsableRecord, random: number): number {
  const expiresAtMs = expiryOf(record)
  if (expiresAtMs === Number.POSITIVE_INFINITY) return expiresAtMs
  const lifetimeMs = expiresAtMs - record.obtainedAtMs
  return expiresAtMs - Math.min(EARLY_MS, lifetimeMs / 2) * (1 + JITTER * random)
}
