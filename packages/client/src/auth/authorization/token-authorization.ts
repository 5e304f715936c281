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

/** Authorizes requests with tokens: refreshes them in time, and replaces them when the server refuses them. */
export class TokenAuthorization implements McpAuthorization {
  readonly #context: AuthContext
  readonly #policy: TokenPolicy
  readonly #flights = new SingleFlight()
  readonly #stepUps = new StepUps()
  readonly #credentials: Credentials
  #tokens: ServerTokens | undefined
  /** Tokens that were obtained after a refusal and have not been accepted yet. */
  #unproven: { readonly generation: number; readonly from: 'refresh' | 'login' } | undefined
  /** A sign-in that was started and is not finished. */
  #pending: { readonly authorizationUrl: string; readonly challenge: Challenge } | undefined

  constructor(context: AuthContext, policy: TokenPolicy) {
    this.#context = context
    this.#credentials = new Credentials(context)
    this.#policy = policy
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

  /** Replaces the current tokens, as if the server had refused them. False: a person has to sign in. */
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
    this.#context.proofs.rememberNonce(url, header('dpop-nonce'))
  }

  async onRefused(refusal: RefusedRequest, { signal }: Waiting = {}): Promise<boolean> {
    const challenge = readChallenge({ 'www-authenticate': refusal.header('www-authenticate') ?? '' })
    if (challenge?.wantsDpopNonce === true) return refusal.header('dpop-nonce') !== undefined
    // Ending a session is not worth a sign-in.
    if (refusal.request.method === 'DELETE') return false
    const held = this.#credentials.sentWith(refusal.sent)
    if (refusal.status === 401) return this.#renew(challenge, held, signal)
    const canStepUp = this.#policy.grant.needsPerson && held !== undefined
    return canStepUp && challenge?.error === 'insufficient_scope'
      ? this.#stepUp(challenge, held, signal)
      : false
  }

  /** Stores the tokens of a sign-in and uses them. */
  protected async keep(known: KnownServer, { tokens, ...belongings }: IssuedTokens): Promise<void> {
    const { provider, serverUrl, principal } = this.#context
    const { manager: keeper } = this.#use(known)
    const { generation } = await keeper.login(tokens, belongings)
    await provider.saveKnownServer(serverUrl, principal, known)
    this.#unproven = { generation, from: 'login' }
    this.#arrived()
  }

  /** Revokes the tokens at the authorization server, and removes them from the store even if that fails. */
  async revoke({ signal }: Waiting = {}): Promise<void> {
    const { provider, serverUrl, principal } = this.#context
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
    const { provider, serverUrl, principal } = this.#context
    return provider.knownServer(serverUrl, principal)
  }

  #use(known: KnownServer): ServerTokens {
    if (this.#tokens?.isFor(known) !== true) {
      this.#tokens = new ServerTokens(this.#context, this.#policy.grant, known)
      this.#unproven = undefined
    }
    return this.#tokens
  }

  /** There are tokens, so no sign-in is pending. */
  #arrived(): 'authorized' {
    this.#pending = undefined
    return 'authorized'
  }

  /** Handles a 401 once for all requests that got it. Does nothing if the tokens were replaced meanwhile. */
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
    if (refused !== undefined && unproven === 'login') throw refusedAtOnce(this.#context.serverUrl)
    const { target, known, tokens, isSame } = await this.#locate(challenge, signal)
    const held =
      refused === undefined || !isSame
        ? await tokens.current(signal)
        : await this.#replace(tokens, refused, unproven, signal)
    if (held !== undefined) return void this.#arrived()
    const policy = { ...this.#policy, provider: this.#context.provider }
    const scope = signInScope(challenge, target, known, policy)
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

  /** Repeats discovery each time: the server may have moved to another authorization server. */
  async #locate(challenge: Challenge, signal: AbortSignal): Promise<Located> {
    const { serverUrl, send, security: guard } = this.#context
    const { grant, allowsFallback } = this.#policy
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

  /** Obtains tokens with the requested scope of the known server. */
  async #obtain(
    target: AuthorizationTarget,
    known: KnownServer,
    challenge: Challenge,
    signal: AbortSignal,
  ): Promise<void> {
    // A sign-in is pending; another redirect would only open another window.
    if (this.#pending !== undefined) throw this.#signInNeeded(this.#pending.authorizationUrl)
    const dpop = dpopRequirement(challenge, target, this.#policy.dpop)
    const dpopKey = dpop === 'none' ? undefined : await generateKeyPair('ES256')
    const { requestedScope: scope } = known
    const request = { target, scope, dpopKey, requiresDpop: dpop === 'required', signal }
    const { grant } = this.#policy
    const granted = await forgetScopeIfRefused(this.#context, () => grant.obtain(this.#context, request))
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
  /** Whether the tokens in use are for the same resource and from the same authorization server. */
  readonly isSame: boolean
}

function refusedAtOnce(serverUrl: string): McpAuthError {
  return new McpAuthError(`${new URL(serverUrl).origin} refuses a token that was just issued for it`, {
    code: 'login_failed',
    stage: 'challenge',
    fix: 'another sign-in would not help: ask the operator of the server which accounts and scopes it accepts',
  })
}
