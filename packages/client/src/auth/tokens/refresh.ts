import { delay } from '../../timing/delay.ts'
import { randomBase64url } from '../crypto/base64url.ts'
import type { ClientInformation, OAuthTokens } from '../messages/oauth-documents.ts'
import type { AuthSend } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import type { AuthKey, McpAuthProvider, RefreshIntent, TokenRecord } from '../stores/auth-store.ts'
import type { RefreshExchange } from './refresh-exchange.ts'
import { type RefreshOutcome, sendRefresh } from './refresh-outcome.ts'
import {
  contentionError,
  droppedRecord,
  type UsableRecord,
  storedTokens,
  type RefreshingRecord,
  isRefreshable,
} from './token-record.ts'

/** What a refresh works with. */
export interface RefreshContext {
  readonly provider: McpAuthProvider
  readonly key: AuthKey
  readonly exchange: RefreshExchange
  readonly send: AuthSend
  readonly now: () => number
}

const ATTEMPTS = 5

/**
 * Gets beyond a generation: finds what another process stored meanwhile, or else refreshes. What it resolves to may
 * still be that generation, if there is nothing to refresh it with, and may be dropped. Rejects with
 * `refresh_outcome_unknown` once a refresh was sent whose answer is not known.
 */
export function renew(
  parts: RefreshContext,
  stale: number,
  signal: AbortSignal,
): Promise<TokenRecord | undefined> {
  return parts.provider.lease(parts.key, () => renewAlone(parts, stale, signal), { signal })
}

async function renewAlone(
  parts: RefreshContext,
  stale: number,
  signal: AbortSignal,
): Promise<TokenRecord | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const record = await parts.provider.tokens(parts.key)
    if (record === undefined || record.generation > stale || !isRefreshable(record)) return record
    const renewed = await refreshRecord(parts, record, signal)
    if (renewed !== undefined) return renewed
  }
  throw contentionError()
}

/** Undefined when somebody else wrote to the record meanwhile: then it has to be looked at anew. */
async function refreshRecord(
  parts: RefreshContext,
  record: UsableRecord,
  signal: AbortSignal,
): Promise<TokenRecord | undefined> {
  refuseUnknown(record.state, parts.provider)
  const held = storedTokens(record)
  const client = held.client ?? (await parts.provider.clientInformation(parts.key.issuer))
  const request = await parts.exchange.request(held, { signal })
  const intended = await writeIntent(parts, record)
  if (intended === undefined) return undefined
  const outcome = await sendRefresh(parts, { request, held, signal })
  if (outcome.kind === 'refused' && outcome.reason === 'invalid_client') await forgetClient(parts, client)
  return settle(parts, intended, outcome)
}

/** Whoever reads an intent while holding the lease knows that its writer is gone. */
function refuseUnknown(state: UsableRecord['state'], provider: McpAuthProvider): void {
  if (state.kind === 'refreshing' && provider.replayAllowed !== true) throw outcomeUnknown(state.intent)
}

async function writeIntent(
  parts: RefreshContext,
  record: UsableRecord,
): Promise<RefreshingRecord | undefined> {
  const { generation, state } = record
  const atMs = parts.now()
  const intent: RefreshIntent = { generation, nonce: randomBase64url(), atMs, holder: thisHolder() }
  const intended: RefreshingRecord = {
    ...record,
    version: record.version + 1,
    state: { kind: 'refreshing', tokens: state.tokens, intent },
  }
  const isOurs = await parts.provider.saveTokens(parts.key, intended, record.version)
  return isOurs ? intended : undefined
}

async function settle(
  parts: RefreshContext,
  intended: RefreshingRecord,
  outcome: RefreshOutcome,
): Promise<TokenRecord | undefined> {
  switch (outcome.kind) {
    case 'renewed':
      return storeAnswer(parts, intended, outcome.tokens)
    case 'refused':
      return saveAndThrow(parts, droppedRecord(intended, outcome.reason), outcome.error)
    case 'unused':
      return saveAndThrow(parts, withoutIntent(intended), outcome.error)
    case 'unknown':
      if (parts.provider.replayAllowed !== true) throw outcomeUnknown(intended.state.intent, outcome.error)
      return saveAndThrow(parts, withoutIntent(intended), outcome.error)
  }
}

/** Throws unless somebody, by logging in, has made the error a thing of the past. */
async function saveAndThrow(parts: RefreshContext, record: TokenRecord, error: unknown): Promise<undefined> {
  if ((await save(parts, record, record.version - 1)) !== undefined) throw error
  return undefined
}

/** Unless somebody has registered another one meanwhile. */
async function forgetClient(
  { provider, key }: RefreshContext,
  refused: ClientInformation | undefined,
): Promise<void> {
  const kept = await provider.clientInformation(key.issuer)
  if (kept?.client_id === refused?.client_id) await provider.saveClientInformation?.(key.issuer, undefined)
}

function withoutIntent(intended: RefreshingRecord): TokenRecord {
  const { tokens } = intended.state
  return { ...intended, version: intended.version + 1, state: { kind: 'held', tokens } }
}

/** How long to wait before an answer is stored once more: it is the only copy of the new refresh token. */
const STORE_AGAIN_MS: readonly number[] = [50, 250, 1_000]

async function storeAnswer(
  parts: RefreshContext,
  intended: RefreshingRecord,
  fresh: OAuthTokens,
): Promise<TokenRecord | undefined> {
  const answer: TokenRecord = {
    ...intended,
    version: intended.version + 1,
    generation: intended.generation + 1,
    obtainedAtMs: parts.now(),
    state: { kind: 'held', tokens: successor(intended.state.tokens, fresh) },
  }
  for (const delayMs of STORE_AGAIN_MS) {
    try {
      return await save(parts, answer, intended.version)
    } catch {
      await delay(delayMs, new AbortController().signal)
    }
  }
  return save(parts, answer, intended.version)
}

async function save(
  parts: RefreshContext,
  record: TokenRecord,
  expected: number,
): Promise<TokenRecord | undefined> {
  return (await parts.provider.saveTokens(parts.key, record, expected)) ? record : undefined
}

/** RFC 6749 section 6: a refresh token or scope that the answer does not name stays what it was. */
function successor(old: OAuthTokens, fresh: OAuthTokens): OAuthTokens {
  return {
    ...(old.refresh_token !== undefined && { refresh_token: old.refresh_token }),
    ...(old.scope !== undefined && { scope: old.scope }),
    ...(old.id_token !== undefined && { id_token: old.id_token }),
    ...fresh,
  }
}

function thisHolder(): string {
  return typeof process === 'object' ? `process ${process.pid}` : 'a web page'
}

function outcomeUnknown(intent: RefreshIntent, cause?: unknown): McpAuthError {
  const when = new Date(intent.atMs).toISOString()
  return new McpAuthError(
    `a refresh that ${intent.holder} sent at ${when} was never answered, so the refresh token may be used up`,
    {
      code: 'refresh_outcome_unknown',
      stage: 'refresh',
      fix: 'log in again; sending it once more could make the authorization server revoke every token of this login',
      ...(cause !== undefined && { cause }),
    },
  )
}
