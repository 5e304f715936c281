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
import type { HttpServerSpec, ResolvedSpec } from '../config/spec/server-spec.ts'
import type { Credential } from '../upstream/connections/open-connection.ts'
import { definitionProvider } from './definition-provider.ts'

export interface AccountOptions {
  readonly principal: string
  readonly providerOf: (spec: HttpServerSpec, principal: string) => McpAuthProvider
  /** How authorization servers are reached, in place of what the guard says. */
  readonly security: AuthSendOptions | undefined
  /** What a person has to do to sign in. */
  readonly advice: string
}

/** Somebody was sent to sign in and is not back. */
interface SignIn {
  readonly over: Promise<void>
  readonly end: (outcome: Promise<void>) => void
}

/** More sign-ins than these are not waited for at once: those that were begun earlier have been given up. */
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

  /** The same object until the account is connected anew. */
  get credential(): Credential {
    return this.#credential
  }

  /** Where its person has to go, while they have to. */
  get signInUrl(): string | undefined {
    return this.#authorization?.oauth.authorizationUrl
  }

  /** Whether its person was sent to sign in with this state. */
  awaits(state: string): boolean {
    return this.#signIns.has(state)
  }

  /** Ends a sign-in with the address that the person came back to. */
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

  /** Gives the tokens back, and forgets them even if that fails. */
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
    if (spec.transport === 'stdio' || spec.transport === 'ws' || hasCredentials(spec)) return undefined
    const { url, auth } = spec
    const target = JSON.stringify([url, auth])
    if (this.#authorization?.target !== target)
      this.#authorization = { target, oauth: this.#createOAuth(spec, guard) }
    return advised(this.#authorization.oauth, this.#options.advice)
  }

  #createOAuth(spec: HttpServerSpec, guard: UrlGuardOptions | undefined): McpOAuth {
    const { principal, providerOf, security } = this.#options
    const { url: serverUrl, auth = {} } = spec
    const provider = definitionProvider(providerOf(spec, principal), auth, {
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

  /** A connection that was opened with another account must not be used with this one; one without any may go on. */
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
  // Most often nobody waits.
  over.catch(() => {})
  return { over, end: (outcome) => end(outcome) }
}

/** Somebody who writes a token into a definition means that one. */
function hasCredentials({ headers, auth }: HttpServerSpec): boolean {
  return auth?.kind === 'none' || Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/** A server on the person's own machine or network may sign them in there too; a public one has no business there. */
function ownMachine(serverUrl: string): UrlGuardOptions {
  try {
    assertSafeAuthUrl(serverUrl, serverUrl)
    return {}
  } catch {
    return { [allowLoopback]: true, [allowInsecureHttp]: true }
  }
}

/** The same authorization, which says in the host's words what a person has to do. */
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
