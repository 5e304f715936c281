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

/** The dependencies of a refresh. */
export interface RefreshContext {
  readonly provider: McpAuthProvider
  readonly key: AuthKey
  readonly exchange: RefreshExchange
  readonly send: AuthSend
  readonly now: () => number
}

const ATTEMPTS = 5

/**
 * Replaces a stale generation: by the tokens that another process stored, else by a refresh. May resolve with the same
 * generation if it cannot be refreshed, or with a dropped record. Rejects with `refresh_outcome_unknown` if a refresh
 * was sent whose response is unknown.
 */
export function renew(
  context: RefreshContext,
  stale: number,
  signal: AbortSignal,
): Promise<TokenRecord | undefined> {
  return context.provider.lease(context.key, () => renewAlone(context, stale, signal), { signal })
}

async function renewAlone(
  context: RefreshContext,
  stale: number,
  signal: AbortSignal,
): Promise<TokenRecord | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const record = await context.provider.tokens(context.key)
    if (record === undefined || record.generation > stale || !isRefreshable(record)) return record
    const renewed = await refreshRecord(context, record, signal)
    if (renewed !== undefined) return renewed
  }
  throw contentionError()
}

/** Undefined if another process changed the record meanwhile; the caller then reads it again. */
async function refreshRecord(
  context: RefreshContext,
  record: UsableRecord,
  signal: AbortSignal,
): Promise<TokenRecord | undefined> {
  refuseUnknown(record.state, context.provider)
  const held = storedTokens(record)
  const client = held.client ?? (await context.provider.clientInformation(context.key.issuer))
  const request = await context.exchange.request(held, { signal })
  const intended = await writeIntent(context, record)
  if (intended === undefined) return undefined
  const outcome = await sendRefresh(context, { request, held, signal })
  if (outcome.kind === 'refused' && outcome.reason === 'invalid_client') await forgetClient(context, client)
  return settle(context, intended, outcome)
}

/** An intent that is read while holding the lease was written by a process that ended. */
function refuseUnknown(state: UsableRecord['state'], provider: McpAuthProvider): void {
  if (state.kind === 'refreshing' && provider.replayAllowed !== true) throw outcomeUnknown(state.intent)
}

async function writeIntent(
  context: RefreshContext,
  record: UsableRecord,
): Promise<RefreshingRecord | undefined> {
  const { generation, state } = record
  const atMs = context.now()
  const intent: RefreshIntent = { generation, nonce: randomBase64url(), atMs, holder: thisHolder() }
  const intended: RefreshingRecord = {
    ...record,
    version: record.version + 1,
    state: { kind: 'refreshing', tokens: state.tokens, intent },
  }
  const isOurs = await context.provider.saveTokens(context.key, intended, record.version)
  return isOurs ? intended : undefined
}

async function settle(
  context: RefreshContext,
  intended: RefreshingRecord,
  outcome: RefreshOutcome,
): Promise<TokenRecord | undefined> {
  switch (outcome.kind) {
    case 'renewed':
      return storeAnswer(context, intended, outcome.tokens)
    case 'refused':
      return saveAndThrow(context, droppedRecord(intended, outcome.reason), outcome.error)
    case 'unused':
      return saveAndThrow(context, withoutIntent(intended), outcome.error)
    case 'unknown':
      if (context.provider.replayAllowed !== true) throw outcomeUnknown(intended.state.intent, outcome.error)
      return saveAndThrow(context, withoutIntent(intended), outcome.error)
  }
}

/** Throws the error, unless a new sign-in has replaced the record meanwhile. */
async function saveAndThrow(
  context: RefreshContext,
  record: TokenRecord,
  error: unknown,
): Promise<undefined> {
  if ((await save(context, record, record.version - 1)) !== undefined) throw error
  return undefined
}

/** Removes the refused client, unless another one has been registered meanwhile. */
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

/** Delays before storing a response again: it is the only copy of the new refresh token. */
const STORE_AGAIN_MS: readonly number[] = [50, 250, 1_000]

async function storeAnswer(
  context: RefreshContext,
  intended: RefreshingRecord,
  fresh: OAuthTokens,
): Promise<TokenRecord | undefined> {
  const answer: TokenRecord = {
    ...intended,
    version: intended.version + 1,
    generation: intended.generation + 1,
    obtainedAtMs: context.now(),
    state: { kind: 'held', tokens: successor(intended.state.tokens, fresh) },
  }
  for (const delayMs of STORE_AGAIN_MS) {
    try {
      return await save(context, answer, intended.version)
    } catch {
      await delay(delayMs, new AbortController().signal)
    }
  }
  return save(context, answer, intended.version)
}

async function save(
  context: RefreshContext,
  record: TokenRecord,
  expected: number,
): Promise<TokenRecord | undefined> {
  return (await context.provider.saveTokens(context.key, record, expected)) ? record : undefined
}

/** RFC 6749 section 6: a refresh token or scope that is missing in the response stays unchanged. */
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
    `a refresh that ${intent.holder} sent at ${when} got no response, so the refresh token may be consumed`,
    {
      code: 'refresh_outcome_unknown',
      stage: 'refresh',
      fix: 'sign in again; sending it twice could make the authorization server revoke every token of this sign-in',
      ...(cause !== undefined && { cause }),
    },
  )
}
