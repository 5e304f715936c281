import { allowInsecureHttp } from '../../url-guard/options.ts'
import { isLoopbackHostname } from '../messages/endpoint-url.ts'
import type { AuthContext } from '../tokens/auth-context.ts'
import { callbackParameters } from '../grants/callback.ts'
import { canonicalUrl } from '../discovery/discovery.ts'
import { DpopProver } from '../dpop/dpop-prover.ts'
import { authorizationCodeGrant } from '../grants/authorization-code-grant.ts'
import type { McpAuthProvider } from '../stores/auth-store.ts'
import { forgetScopeIfRefused } from './refused-scope.ts'
import type { AuthSendOptions } from '../http/send-options.ts'
import { createAuthSend } from '../http/create-auth-send.ts'
import { finishSignIn } from '../grants/sign-in.ts'
import { TokenAuthorization } from './token-authorization.ts'
import { withScope } from './token-policy.ts'

/** Options of every authorization for one server. */
export interface AuthorizationOptions {
  /** The URL of the MCP server. */
  readonly serverUrl: string | URL
  /** Whose tokens are used, if one store serves many people. Default: `default`. */
  readonly principal?: string
  /** The scope if neither the server's challenge nor its metadata names one. Default: none. */
  readonly scope?: string
  /**
   * When tokens are bound to a key (DPoP), which makes a stolen token useless: if both servers support it (`when-supported`),
   * `always`, or `never`. Default: `when-supported`.
   */
  readonly dpop?: 'when-supported' | 'always' | 'never'
  /** Whether a server without metadata is treated as one of 2025-03-26, its own authorization server. Default: true. */
  readonly legacyFallback?: boolean
  /** How requests to authorization servers are sent, and which URLs are allowed. Default: public https URLs. */
  readonly security?: AuthSendOptions
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number
}

/** Options of {@link McpOAuth}. */
export interface McpOAuthOptions extends AuthorizationOptions {
  /** Stores tokens and flows, and redirects people to sign in. */
  readonly provider: McpAuthProvider
}

/** Authorization of a person for one server; the `authorization` option of `connectMcp`. */
export class McpOAuth extends TokenAuthorization {
  readonly #context: AuthContext

  /** Throws a `TypeError` for a URL that no token should be sent to. */
  constructor(options: McpOAuthOptions) {
    const context = authContext(options, options.provider)
    const { scope, dpop = 'when-supported', legacyFallback: allowsFallback = true } = options
    super(context, { grant: authorizationCodeGrant, scope, dpop, allowsFallback })
    this.#context = context
  }

  /** The authorization headers of a request to the server; none if there are no tokens. */
  async authHeader(): Promise<Readonly<Record<string, string>>> {
    return this.headersFor({ method: 'POST', url: this.#context.serverUrl })
  }

  /**
   * Finishes a sign-in: exchanges the code of the callback. `iss` is the parameter of that name; it is required if the
   * authorization server declares to send it. Rejects with an `McpAuthError`, which ends the flow as well.
   */
  async finish(
    code: string,
    returnedState: string,
    options: { readonly iss?: string | undefined; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const { iss, ...waiting } = options
    const parameters = new URLSearchParams({ code, state: returnedState, ...(iss !== undefined && { iss }) })
    await this.#finish(parameters, waiting)
  }

  /** Like `finish` with the complete callback URL, which may also carry an error. */
  async finishFrom(callback: string | URL, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.#finish(callbackParameters(callback), options)
  }

  async #finish(parameters: URLSearchParams, options: { readonly signal?: AbortSignal }): Promise<void> {
    const { flow, login } = await forgetScopeIfRefused(this.#context, () =>
      finishSignIn(this.#context, parameters, options),
    )
    const { issuer, resource } = flow
    const known =
      resource === undefined
        ? { issuer, resource: canonicalUrl(flow.serverUrl), isLegacy: true as const }
        : { issuer, resource }
    await this.keep(withScope(known, flow.requestedScope), login)
  }
}

/** Creates the shared context from the options of the host. */
export function authContext(options: AuthorizationOptions, provider: McpAuthProvider): AuthContext {
  const { serverUrl, principal = 'default', security = {}, now = Date.now } = options
  return {
    serverUrl: checkedServerUrl(new URL(serverUrl), security),
    principal,
    provider,
    send: createAuthSend(security),
    security,
    proofs: new DpopProver(),
    now,
  }
}

/** A token that is sent over plain HTTP could be read on the network. */
function checkedServerUrl(url: URL, security: AuthSendOptions): string {
  const isSafe = url.protocol === 'https:' || isLoopbackHostname(url.hostname)
  if (isSafe || security[allowInsecureHttp] === true) return url.href
  throw new TypeError(`tokens are not sent to ${url.origin}, which is not https`)
}
