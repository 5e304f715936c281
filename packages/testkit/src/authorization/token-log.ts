import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Context, default as Provider } from 'oidc-provider'
import type { TokenRequestEntry } from './token-request-entry.ts'

/** Records requests to the token endpoint, and can hold its responses. */
export interface TokenLog {
  readonly entries: readonly TokenRequestEntry[]
  /** While set, requests are processed and recorded, but responses are held. */
  hold(isHeld: boolean): void
}

/** Records the token endpoint of a provider. */
export function watchTokens(provider: Provider): TokenLog {
  const entries: TokenRequestEntry[] = []
  const details = new WeakMap<Context, string>()
  let release: (() => void) | undefined
  let held: Promise<void> | undefined
  provider.on('grant.error', (context, error) => details.set(context, error.error_detail ?? ''))
  provider.use(async (context, next) => {
    await next()
    if (context.path !== '/token' || context.method !== 'POST') return
    entries.push(entryOf(context, details.get(context)))
    if (held !== undefined) await Promise.race([held, once(context.res, 'close')])
  })
  return {
    entries,
    hold(isHeld) {
      release?.()
      held = isHeld ? new Promise((resolve) => (release = resolve)) : undefined
    },
  }
}

function entryOf({ body, oidc }: Context, detail: string | undefined): TokenRequestEntry {
  const { params = {}, entities } = oidc
  const answer = (body ?? {}) as { readonly error?: string; readonly refresh_token?: string }
  const sent = entities['RotatedRefreshToken'] ?? entities['RefreshToken']
  const isRefresh = params['grant_type'] === 'refresh_token'
  const grant = sent?.grantId ?? entities['AuthorizationCode']?.grantId
  return {
    atMs: Date.now(),
    grantType: String(params['grant_type']),
    clientId: entities['Client']?.clientId ?? '',
    ...(grant !== undefined && { grant: digest(grant) }),
    ...(isRefresh && { refreshToken: digest(String(params['refresh_token'])) }),
    ...(isRefresh && sent !== undefined && { generation: sent.rotations ?? 0 }),
    ...(answer.refresh_token !== undefined && { issued: digest(answer.refresh_token) }),
    outcome: answer.error ?? 'granted',
    ...(detail !== undefined && { detail }),
  }
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16)
}
