import { type McpAuthorization, McpUnauthorizedError } from '@toolbridge/client'
import {
  allowInsecureHttp,
  allowLoopback,
  assertSafeAuthUrl,
  type AuthSendOptions,
  type McpAuthProvider,
  McpOAuth,
  type PendingFlow,
  type UrlGuardOptions,
} from '@toolbridge/client/auth'
import { remoteTransports } from '../config/spec/remote-transports.ts'
import type { HttpServerSpec, ResolvedSpec } from '../config/spec/server-spec.ts'
import type { Credential } from '../upstream/connections/open-connection.ts'
import { definitionProvider } from './definition-provider.ts'

export interface AccountOptions {
  readonly principal: string
  readonly providerOf: (spec: HttpServerSpec, principal: string) => McpAuthProvider
  /** Options for requests to authorization servers, instead of the guard's. */
  readonly security: AuthSendOptions | undefined
  /** How to sign in, for error messages. */
  readonly advice: string
}

/** A sign-in in progress. */
interface SignIn {
  readonly over: Promise<void>
  readonly end: (outcome: Promise<void>) => void
}

/** Maximum number of sign-ins in progress; the oldest are dropped. */
const maxSignIns = 16

/** The account of one principal at one server. */
export class Account {
  readonly #options: AccountOptions
  readonly #signIns = new Map<string, SignIn>()
  #authorization: { readonly target: string; readonly oauth: McpOAuth } | undefined
  #isConnected = false
  #credential: Credential

  constructor(options: AccountOptions) {
    this.#options = options
    this.#credential = this.#createCredential(0)
  }

  /** The same object until the account is connected again. */
  get credential(): Credential {
    return this.#credential
  }

  /** The authorization URL of the sign-in in progress, if any. */
  get signInUrl(): string | undefined {
    return this.#authorization?.oauth.authorizationUrl
  }

  /** Returns whether a sign-in with this state is in progress. */
  awaits(state: string): boolean {
    return this.#signIns.has(state)
  }

  /** Completes a sign-in with its callback URL. */
  async finish(state: string, callback: string | URL, signal: AbortSignal | undefined): Promise<void> {
    const signIn = this.#signIns.get(state)
    const finishing = this.#authorization?.oauth.finishFrom(callback, signal === undefined ? {} : { signal })
    if (finishing === undefined) return
    signIn?.end(finishing)
    try {
      await finishing
    } finally {
      this.#signIns.delete(state)
    }
  }

  /** Revokes the tokens, and deletes them even if that fails. */
  async disconnect(signal: AbortSignal | undefined): Promise<void> {
    await this.#authorization?.oauth.revoke(signal === undefined ? {} : { signal })
  }

  #createCredential(number: number): Credential {
    return {
      id: String(number),
      authorization: (spec, guard) => this.#authorizationFor(spec, guard),
      signedIn: async (authorizationUrl) =>
        this.#signIns.get(new URL(authorizationUrl).searchParams.get('state') ?? '')?.over,
    }
  }

  #authorizationFor(spec: ResolvedSpec, guard: UrlGuardOptions | undefined): McpAuthorization | undefined {
    if (spec.transport === 'stdio' || !remoteTransports[spec.transport].hasOAuth || hasCredentials(spec))
      return undefined
    const { url, auth } = spec
    const target = JSON.stringify([url, auth])
    if (this.#authorization?.target !== target)
      this.#authorization = { target, oauth: this.#createOAuth(spec, guard) }
    return advised(this.#authorization.oauth, this.#options.advice)
  }

  #createOAuth(spec: HttpServerSpec, guard: UrlGuardOptions | undefined): McpOAuth {
    const { principal, providerOf, security } = this.#options
    const { url: serverUrl, auth = {} } = spec
    const provider = definitionProvider(providerOf(spec, principal), spec, {
      onFlow: (flow) => this.#expect(flow),
      onFound: () => (this.#isConnected = true),
      onConnected: (known) => this.#connected(known !== undefined),
    })
    return new McpOAuth({
      serverUrl,
      principal,
      provider,
      security: security ?? guard ?? ownMachine(serverUrl),
      ...(auth.scopes === undefined ? {} : { scope: auth.scopes.join(' ') }),
    })
  }

  /** Connections of another account must not be used with this one; those without an account may stay open. */
  #connected(isConnected: boolean): void {
    if (this.#isConnected) this.#credential = this.#createCredential(Number(this.#credential.id) + 1)
    this.#isConnected = isConnected
  }

  #expect({ state }: PendingFlow): void {
    this.#signIns.set(state, createSignIn())
    const [oldest] = this.#signIns.keys()
    if (this.#signIns.size > maxSignIns && oldest !== undefined) this.#signIns.delete(oldest)
  }
}

function createSignIn(): SignIn {
  let end: SignIn['end'] = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  // Usually nobody awaits it.
  over.catch(() => {})
  return { over, end: (outcome) => end(outcome) }
}

/** Credentials in a definition take precedence over OAuth. */
function hasCredentials({ headers, auth }: HttpServerSpec): boolean {
  return auth?.kind === 'none' || Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/**
 * A server on the local machine or network may use an authorization server there; a public one may not, also if its URL is
 * refused for another reason.
 */
export function ownMachine(serverUrl: string): UrlGuardOptions {
  const { protocol } = new URL(serverUrl)
  const isPlain = protocol === 'http:'
  const asWritten: UrlGuardOptions = isPlain ? { [allowInsecureHttp]: true } : {}
  const isPrivate =
    !isAccepted(serverUrl, asWritten) && isAccepted(serverUrl, { ...asWritten, [allowLoopback]: true })
  return isPrivate ? { [allowLoopback]: true, [allowInsecureHttp]: true } : asWritten
}

function isAccepted(url: string, guard: UrlGuardOptions): boolean {
  try {
    assertSafeAuthUrl(url, url, guard)
    return true
  } catch {
    return false
  }
}

/** Wraps an authorization so that its errors carry the host's advice. */
function advised(oauth: McpOAuth, advice: string): McpAuthorization {
  const explained = (error: unknown): never => {
    if (!(error instanceof McpUnauthorizedError)) throw error
    const { authorizationUrl, cause } = error
    throw new McpUnauthorizedError(`nobody is signed in; ${advice}`, { authorizationUrl, cause })
  }
  return {
    async authorize(options) {
      const state = await oauth.authorize(options).catch(explained)
      return state === 'redirect'
        ? explained(McpUnauthorizedError.signInNeeded(oauth.authorizationUrl))
        : state
    },
    headersFor: (request) => oauth.headersFor(request),
    onRefused: (refusal, options) => oauth.onRefused(refusal, options).catch(explained),
    onResponse: (response) => oauth.onResponse(response),
    get authorizationUrl() {
      return oauth.authorizationUrl
    },
  }
}
