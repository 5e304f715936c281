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

/** What authorization for one server is made of, whoever is authorized. */
export interface AuthorizationOptions {
  /** The address of the MCP server. */
  readonly serverUrl: string | URL
  /** For whom tokens are kept, where one store serves many. */
  readonly principal?: string
  /** Asked for where neither the server's challenge nor its metadata names a scope. */
  readonly scope?: string
  /**
   * Whether tokens are bound to a key, so that a stolen one is worth nothing: where the server offers it (`offered`,
   * the default), `always`, or `never`.
   */
  readonly dpop?: 'offered' | 'always' | 'never'
  /** Whether a server that publishes no metadata may be one of 2025-03-26, its own authorization server; yes if left out. */
  readonly legacyFallback?: boolean
  /** How requests to authorization servers are sent, and to which addresses. */
  readonly security?: AuthSendOptions
  readonly now?: () => number
}

export interface McpOAuthOptions extends AuthorizationOptions {
  /** Keeps tokens and flows, and sends people where they sign in. */
  readonly provider: McpAuthProvider
}

/** Authorization of a person: give it to `connectMcp` as `authorization`. One for each server. */
export class McpOAuth extends TokenAuthorization {
  readonly #parts: AuthContext

  /** Throws a `TypeError` for an address that no token should be sent to. */
  constructor(options: McpOAuthOptions) {
    const parts = authContext(options, options.provider)
    const { scope, dpop = 'offered', legacyFallback: allowsFallback = true } = options
    super(parts, { grant: authorizationCodeGrant, scope, dpop, allowsFallback })
    this.#parts = parts
  }

  /** The headers that a request to the server needs now; none if there are no tokens. */
  async authHeader(): Promise<Readonly<Record<string, string>>> {
    return this.headersFor({ method: 'POST', url: this.#parts.serverUrl })
  }

  /**
   * Ends a sign-in: exchanges the code that the person came back with. `iss` is the parameter of that name, which many
   * authorization servers promise and which is then required. Rejects with an `McpAuthError`; the flow is over anyway.
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

  /** The same with the whole address that the person came back to, which may also say why they were refused. */
  async finishFrom(callback: string | URL, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.#finish(callbackParameters(callback), options)
  }

  async #finish(parameters: URLSearchParams, options: { readonly signal?: AbortSignal }): Promise<void> {
    const { flow, login } = await forgetScopeIfRefused(this.#parts, () =>
      finishSignIn(this.#parts, parameters, options),
    )
    const { issuer, resource } = flow
    const known =
      resource === undefined
        ? { issuer, resource: canonicalUrl(flow.serverUrl), isLegacy: true as const }
        : { issuer, resource }
    await this.keep(withScope(known, flow.requestedScope), login)
  }
}

/** Everything that the steps of authorization share, from what a host says. */
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

/** Everybody on the way could read a token that goes over plain HTTP. */
function checkedServerUrl(url: URL, security: AuthSendOptions): string {
  const isSafe = url.protocol === 'https:' || isLoopbackHostname(url.hostname)
  if (isSafe || security[allowInsecureHttp] === true) return url.href
  throw new TypeError(`tokens are not sent to ${url.origin}, which is not https`)
}
