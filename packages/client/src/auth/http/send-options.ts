import type { ConnectionOptions } from '../../network/connection-options.ts'
import type { UrlGuardOptions } from '../../url-guard/options.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'

/** A check that the guard had to leave to others. */
export interface GuardDiagnostic {
  /** Which component resolved the hostname and connected, so that the address was not checked. */
  readonly code: 'address_left_to_proxy' | 'address_left_to_fetch'
  readonly message: string
}

/** How OAuth requests are sent, and what the guard allows. */
export interface AuthSendOptions extends UrlGuardOptions, Omit<ConnectionOptions, 'guard'> {
  /** Sends the requests instead of Node's HTTP client. The guard then cannot check resolved addresses. Default: none. */
  readonly fetch?: typeof fetch | undefined
  /** Timeout of one request with all its redirects. Default: 30 s. */
  readonly timeoutMs?: number | undefined
  /** Maximum size of a response. Default: 1 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** Called once per kind of check that the guard had to leave to others. Default: ignored. */
  readonly onDiagnostic?: ((diagnostic: GuardDiagnostic) => void) | undefined
}

/** Sends one request to one URL without following redirects. */
export type SendOnce = (url: URL, request: AuthRequest, limits: SendLimits) => Promise<AuthResponse>

/** The limits of one request. It fails with the reason of the signal. */
export interface SendLimits {
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** Called when the request may be on its way. */
  readonly onConnected: () => void
}
