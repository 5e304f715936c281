import {
  type AuthorizationState,
  type CredentialsRequest,
  type McpResponseHead,
  type McpAuthorization,
  McpUnauthorizedError,
  type RefusedRequest,
} from '../../http/mcp-authorization.ts'
import type { AuthContext } from '../tokens/auth-context.ts'
import { type McpChallenge, readChallenge } from '../discovery/challenge.ts'
import { Credentials } from './credentials.ts'
import { type AuthorizationTarget, discover } from '../discovery/discovery.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import type { KnownServer } from '../stores/auth-store.ts'
import type { StoredTokens, IssuedTokens } from '../tokens/refresh-exchange.ts'
import { forgetScopeIfRefused } from './refused-scope.ts'
import { unionOfScopes } from '../discovery/scopes.ts'
import { ServerTokens } from './server-tokens.ts'
import { generateKeyPair } from '../crypto/signing-key.ts'
import { SingleFlight } from './single-flight.ts'
import { StepUps } from './step-ups.ts'
import { dpopRequirement, knownServer, signInScope, type TokenPolicy, withScope } from './token-policy.ts'

type Headers = Readonly<Record<string, string>>
type Challenge = McpChallenge | undefined
type Waiting = { readonly signal?: AbortSignal }

/** Authorizes requests with tokens: keeps them fresh, and gets others when the server refuses them. */
export class TokenAuthorization implements McpAuthorization {
  readonly #parts: AuthContext
  readonly #wishes: TokenPolicy
  readonly #flights = new SingleFlight()
  readonly #stepUps = new StepUps()
  readonly #credentials: Credentials
  #tokens: ServerTokens | undefined
  /** Tokens that were got after a refusal and have not been accepted yet. */
  #unproven: { readonly generation: number; readonly from: 'refresh' | 'login' } | undefined
  /** A person was sent to sign in and is not back yet. */
  #pending: { readonly authorizationUrl: string; readonly challenge: Challenge } | undefined

  constructor(parts: AuthContext, wishes: TokenPolicy) {
    this.#parts = parts
    this.#credentials = new Credentials(parts)
    this.#wishes = wishes
  }

  get authorizationUrl(): string | undefined {
    return this.#pending?.authorizationUrl
  }

  async authorize({ signal }: Waiting = {}): Promise<AuthorizationState> {
    const known = await this.#kept()
    const held = known === undefined ? undefined : await this.#use(known).current(signal)
    if (held !== undefined) return this.#arrived()
    if (this.#pending === undefined) return 'unknown'
    return (await this.reauthorize(signal === undefined ? {} : { signal })) ? 'authorized' : 'redirect'
  }

  /** Gets other tokens than those at hand, as if the server had refused them. False: a person was sent to sign in. */
  async reauthorize({ signal }: Waiting = {}): Promise<boolean> {
    const challenge = this.#pending?.challenge
    this.#pending = undefined
    try {
      return await this.#renew(challenge, this.#tokens?.manager.peek(), signal)
    } catch (error) {
      if (error instanceof McpUnauthorizedError) return false
      throw error
    }
  }

  headersFor(request: CredentialsRequest): Headers | Promise<Headers> {
    return this.#credentials.headersFor(request, this.#tokens)
  }

  onResponse({ url, status, header }: McpResponseHead): void {
    if (status !== 401) this.#unproven = undefined
    this.#parts.proofs.rememberNonce(url, header('dpop-nonce'))
  }

  async onRefused(refusal: RefusedRequest, { signal }: Waiting = {}): Promise<boolean> {
    const challenge = readChallenge({ 'www-authenticate': refusal.header('www-authenticate') ?? '' })
    if (challenge?.wantsDpopNonce === true) return refusal.header('dpop-nonce') !== undefined
    // Nobody is asked to sign in so that goodbye can be said.
    if (refusal.request.method === 'DELETE') return false
    const held = this.#credentials.sentWith(refusal.sent)
    if (refusal.status === 401) return this.#renew(challenge, held, signal)
    const canStepUp = this.#wishes.grant.needsPerson && held !== undefined
    return canStepUp && challenge?.error === 'insufficient_scope'
      ? this.#stepUp(challenge, held, signal)
      : false
  }

  /** Keeps the tokens of a login and uses them from now on. */
  protected async keep(known: KnownServer, { tokens, ...belongings }: IssuedTokens): Promise<void> {
    const { provider, serverUrl, principal } = this.#parts
    const { manager: keeper } = this.#use(known)
    const { generation } = await keeper.login(tokens, belongings)
    await provider.saveKnownServer(serverUrl, principal, known)
    this.#unproven = { generation, from: 'login' }
    this.#arrived()
  }

  /** Has the authorization server forget the tokens, and forgets them here even if that fails. */
  async revoke({ signal }: Waiting = {}): Promise<void> {
    const { provider, serverUrl, principal } = this.#parts
    const known = await this.#kept()
    if (known === undefined) return
    try {
      await this.#use(known).revoke(signal)
    } finally {
      this.#tokens = undefined
      await provider.saveKnownServer(serverUrl, principal, undefined)
    }
  }

  #kept(): Promise<KnownServer | undefined> {
    const { provider, serverUrl, principal } = this.#parts
    return provider.knownServer(serverUrl, principal)
  }

  #use(known: KnownServer): ServerTokens {
    if (this.#tokens?.isFor(known) !== true) {
      this.#tokens = new ServerTokens(this.#parts, this.#wishes.grant, known)
      this.#unproven = undefined
    }
    return this.#tokens
  }

  /** There are tokens, so nobody is waited for any more. */
  #arrived(): 'authorized' {
    this.#pending = undefined
    return 'authorized'
  }

  /** One way out of 401 for all who got it. Where others found it before, there is nothing left to do. */
  async #renew(
    challenge: Challenge,
    refused: StoredTokens | undefined,
    signal: AbortSignal | undefined,
  ): Promise<true> {
    const held = this.#tokens?.manager.peek()
    const isOutdated = held !== undefined && held.tokens.access_token !== refused?.tokens.access_token
    if (isOutdated) return true
    await this.#flights.run('renew', (shared) => this.#renewAlone(challenge, refused, shared), signal)
    return true
  }

  async #renewAlone(
    challenge: Challenge,
    refused: StoredTokens | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const unproven = refused?.generation === this.#unproven?.generation ? this.#unproven?.from : undefined
    if (refused !== undefined && unproven === 'login') throw refusedAtOnce(this.#parts.serverUrl)
    const { target, known, tokens, isSame } = await this.#locate(challenge, signal)
    const held =
      refused === undefined || !isSame
        ? await tokens.current(signal)
        : await this.#replace(tokens, refused, unproven, signal)
    if (held !== undefined) return void this.#arrived()
    const wishes = { ...this.#wishes, provider: this.#parts.provider }
    const scope = signInScope(challenge, target, known, wishes)
    await this.#obtain(target, withScope(known, scope), challenge, signal)
  }

  async #replace(
    tokens: ServerTokens,
    refused: StoredTokens,
    unproven: 'refresh' | 'login' | undefined,
    signal: AbortSignal,
  ): Promise<StoredTokens | undefined> {
    if (unproven === 'refresh') return undefined
    const held = await tokens.replace(refused, signal)
    if (held !== undefined) this.#unproven = { generation: held.generation, from: 'refresh' }
    return held
  }

  async #stepUp(challenge: McpChallenge, held: StoredTokens, signal?: AbortSignal): Promise<true> {
    const what = `step up ${challenge.scope ?? ''}`
    await this.#flights.run(what, (shared) => this.#stepUpAlone(challenge, held, shared), signal)
    return true
  }

  async #stepUpAlone(challenge: McpChallenge, held: StoredTokens, signal: AbortSignal): Promise<void> {
    const current = this.#tokens?.manager.peek()
    if (current !== undefined && current.tokens.access_token !== held.tokens.access_token) return
    const { target, known, tokens } = await this.#locate(challenge, signal)
    if ((await tokens.manager.newer(held)) !== undefined) return
    const before = unionOfScopes(known.requestedScope, held.tokens.scope)
    this.#stepUps.begin(challenge.scope, before)
    const scope = unionOfScopes(before, challenge.scope)
    await this.#obtain(target, withScope(known, scope), challenge, signal)
  }

  /** Asked anew each time: the server may have moved to another authorization server, which tokens do not tell. */
  async #locate(challenge: Challenge, signal: AbortSignal): Promise<Located> {
    const { serverUrl, send, security: guard } = this.#parts
    const { grant, allowsFallback } = this.#wishes
    const kept = await this.#kept()
    const target = await discover({
      serverUrl,
      usedIssuer: kept?.issuer,
      challengedUrl: challenge?.resourceMetadataUrl,
      needsPerson: grant.needsPerson,
      allowsFallback,
      guard,
      send,
      signal,
    })
    const known = knownServer(target, kept)
    const isSame = this.#tokens?.isFor(known) === true
    const tokens = this.#use(known)
    tokens.update(known, target)
    return { target, known, tokens, isSame }
  }

  /** Asks for tokens with all of the scope that is known to be wanted. */
  async #obtain(
    target: AuthorizationTarget,
    known: KnownServer,
    challenge: Challenge,
    signal: AbortSignal,
  ): Promise<void> {
    // The person is on their way; sending them again would only open another window.
    if (this.#pending !== undefined) throw this.#signInNeeded(this.#pending.authorizationUrl)
    const dpop = dpopRequirement(challenge, target, this.#wishes.dpop)
    const dpopKey = dpop === 'none' ? undefined : await generateKeyPair('ES256')
    const { requestedScope: scope } = known
    const wish = { target, scope, dpopKey, requiresDpop: dpop === 'required', signal }
    const { grant } = this.#wishes
    const granted = await forgetScopeIfRefused(this.#parts, () => grant.obtain(this.#parts, wish))
    if (granted.kind === 'tokens') return this.keep(known, granted.login)
    this.#pending = { authorizationUrl: granted.authorizationUrl, challenge }
    throw this.#signInNeeded(granted.authorizationUrl)
  }

  #signInNeeded(authorizationUrl: string): McpUnauthorizedError {
    return McpUnauthorizedError.signInNeeded(authorizationUrl, this.#tokens?.lastError)
  }
}

interface Located {
  readonly target: AuthorizationTarget
  readonly known: KnownServer
  readonly tokens: ServerTokens
  /** Whether tokens of this process are for the same server and from the same authorization server. */
  readonly isSame: boolean
}

function refusedAtOnce(serverUrl: string): McpAuthError {
  return new McpAuthError(`${new URL(serverUrl).origin} refuses the token that it has just had issued`, {
    code: 'login_failed',
    stage: 'challenge',
    fix: 'another login would not change that: ask whoever runs the server for whom and for what it accepts tokens',
  })
}
