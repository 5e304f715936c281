import type { ConnectionOptions } from '../../network/connection-options.ts'
import type { UrlGuardOptions } from '../../url-guard/options.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'

/** Something that the guard could not do itself. */
export interface GuardDiagnostic {
  /** Who looked the name up and connected, so that the address was not checked: a proxy, or a `fetch`. */
  readonly code: 'address_left_to_proxy' | 'address_left_to_fetch'
  readonly message: string
}

/** How OAuth exchanges are sent, and what the guard lets pass. */
export interface AuthSendOptions extends UrlGuardOptions, Omit<ConnectionOptions, 'guard'> {
  /** Carries the exchanges instead of Node's own client. The guard then sees names and not what they resolve to. */
  readonly fetch?: typeof fetch | undefined
  /** How long one exchange may take with all its redirects; 30 seconds if left out. */
  readonly timeoutMs?: number | undefined
  /** The most that an answer may hold; 1 MiB if left out. */
  readonly maxResponseBytes?: number | undefined
  /** Hears, once each, what the guard could not do itself. */
  readonly onDiagnostic?: ((diagnostic: GuardDiagnostic) => void) | undefined
}

/** Sends one request to one address and follows nothing. */
export type SendOnce = (url: URL, request: AuthRequest, limits: SendLimits) => Promise<AuthResponse>

/** What one exchange may take; the signal's reason is what it fails with. */
export interface SendLimits {
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** Something of the request may be on its way from now on. */
  readonly onConnected: () => void
}
