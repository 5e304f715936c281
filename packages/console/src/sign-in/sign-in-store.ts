import type { SignInResponse } from '@toolbridge/api'
import { type GatewayClient, GatewayError, type SignOutOptions } from '@toolbridge/react'
import { goToIssuer, type IssuerFlowWindow, takeIssuerAnswer } from './issuer-flow.ts'
import { personKey } from './signed-in-person.ts'

/**
 * State of the sign-in. `expired`: the token was refused while pages were in use, which stay for the next sign-in. `number`
 * counts the sign-ins of this tab.
 */
export type SignInState =
  | { readonly kind: 'signing-in' }
  | { readonly kind: 'signed-in'; readonly number: number }
  | { readonly kind: 'expired'; readonly number: number }
  | { readonly kind: 'signed-out'; readonly reason: SignedOutReason }

/**
 * Why no one is signed in: no code, code rejected, issuer or its answer rejected, token expired,
 * signed out by the person, or gateway unreachable.
 */
export type SignedOutReason =
  | 'no-code'
  | 'code-refused'
  | 'issuer-refused'
  | 'expired'
  | 'signed-out'
  | 'unreachable'

/** The parts of `Window` that signing in uses. */
export interface SignInWindow extends IssuerFlowWindow {
  readonly location: Pick<Location, 'assign' | 'hash' | 'pathname' | 'reload' | 'search'>
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  open(url: string, target: string, features: string): unknown
  addEventListener(type: 'hashchange', listener: () => void): void
  addEventListener(type: 'storage', listener: (event: Pick<StorageEvent, 'key'>) => void): void
}

/** The requests of signing in, which need no token. */
export type SignInClient = Pick<GatewayClient, 'signIn' | 'signInAtIssuer' | 'signInOptions'>

const storageKey = 'toolbridge.bearer'
/** Written and removed at once, to tell the other tabs. */
const signedOutKey = 'toolbridge.signed-out'

/** Fragment of a tab that only signs in at the issuer, for another tab whose sign-in has expired. */
const issuerHash = '#sign-in'

/**
 * Exchanges the single-use code in the URL for a bearer token, which all tabs of the browser share. The code is removed from
 * the address bar before it is sent. The token is never in a URL or a cookie.
 */
export class SignInStore {
  readonly #window: SignInWindow
  readonly #listeners = new Set<() => void>()
  #state: SignInState = { kind: 'signing-in' }
  #signIns = 0
  /** Person whose pages this tab shows. */
  #shownPerson: string | null = null
  /** Whether the gateway has accepted the token in this tab. */
  #isAccepted = false

  constructor(window: SignInWindow) {
    this.#window = window
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getSnapshot = (): SignInState => this.#state

  readonly token = (): string | undefined => this.#window.localStorage.getItem(storageKey) ?? undefined

  /** Signs in with the code in the URL, now and whenever the URL of this tab changes. */
  start(client: SignInClient): void {
    this.#window.addEventListener('hashchange', () => {
      if (codeIn(this.#window.location.hash) !== undefined) void this.#enter(client)
    })
    this.#window.addEventListener('storage', ({ key }) => {
      if (key === signedOutKey) this.#show({ kind: 'signed-out', reason: 'signed-out' })
      else if (key === storageKey || key === null) this.#follow()
    })
    void this.#enter(client)
  }

  /** Sends the person to the issuer. Rejects if the gateway has none or the page was not loaded over TLS. */
  async goToIssuer(client: SignInClient): Promise<void> {
    const { issuer } = await client.signInOptions()
    if (issuer !== null) await goToIssuer(this.#window, issuer)
  }

  /** Opens a tab that signs in at the issuer; this tab follows it. */
  openIssuerTab(): void {
    this.#window.open(this.#window.location.pathname + issuerHash, '_blank', 'noopener')
  }

  /** Revokes the token, or all of the person, and forgets it, in all tabs; also if the gateway does not respond. */
  async signOut(client: Pick<GatewayClient, 'signOut'>, options?: SignOutOptions): Promise<void> {
    await client.signOut(options).catch(() => undefined)
    this.#window.localStorage.setItem(signedOutKey, '1')
    this.#window.localStorage.removeItem(signedOutKey)
    this.#forget()
    this.#show({ kind: 'signed-out', reason: 'signed-out' })
  }

  /** Returns a `fetch` that signs out on a 401 response. */
  watch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const sent = this.token()
      const response = await fetch(input, init)
      // Another tab may have signed in meanwhile.
      if (response.status === 401 && this.token() === sent) this.#expire()
      else if (response.ok && sent !== undefined) this.#isAccepted = true
      return response
    }
  }

  #forget(): void {
    this.#window.localStorage.removeItem(storageKey)
    this.#window.localStorage.removeItem(personKey)
  }

  /** Pages that were in use stay: they may have text that is not saved. */
  #expire(): void {
    this.#forget()
    this.#show(
      this.#isAccepted
        ? { kind: 'expired', number: this.#signIns }
        : { kind: 'signed-out', reason: 'expired' },
    )
  }

  /** Another tab signed in, or noticed that the sign-in has expired. */
  #follow(): void {
    if (this.token() !== undefined) this.#showSignedIn()
    else if (this.#state.kind === 'signed-in') this.#expire()
  }

  /** The pages of one person must not be shown to another. */
  #showSignedIn(): void {
    const person = this.#window.localStorage.getItem(personKey)
    if (this.#shownPerson !== null && person !== this.#shownPerson) return this.#window.location.reload()
    this.#shownPerson = person
    this.#signIns += 1
    this.#show({ kind: 'signed-in', number: this.#signIns })
  }

  async #enter(client: SignInClient): Promise<void> {
    const isForOtherTab = this.#window.location.hash === issuerHash
    const failure = await this.#signInByUrl(client)
    if (this.token() !== undefined) return this.#showSignedIn()
    this.#show({ kind: 'signed-out', reason: failure })
    if (isForOtherTab) await this.goToIssuer(client).catch(() => undefined)
  }

  /** Returns why no one was signed in, in case no one is. */
  async #signInByUrl(client: SignInClient): Promise<SignedOutReason> {
    const answer = takeIssuerAnswer(this.#window)
    if (answer === 'refused') return 'issuer-refused'
    if (answer !== undefined) return this.#keepToken(client.signInAtIssuer(answer), 'issuer-refused')
    const code = this.#takeCode()
    return code === undefined ? 'no-code' : this.#keepToken(client.signIn(code), 'code-refused')
  }

  #takeCode(): string | undefined {
    const { hash, pathname, search } = this.#window.location
    const code = codeIn(hash)
    if (code !== undefined) this.#window.history.replaceState(null, '', pathname + search)
    return code
  }

  async #keepToken(answer: Promise<SignInResponse>, refused: SignedOutReason): Promise<SignedOutReason> {
    try {
      const { token, principal } = await answer
      // First: the other tabs follow the token.
      this.#window.localStorage.setItem(personKey, principal)
      this.#window.localStorage.setItem(storageKey, token)
      return 'expired'
    } catch (error) {
      const isAnswered =
        error instanceof GatewayError && ['unauthorized', 'invalid', 'refused'].includes(error.kind)
      return isAnswered ? refused : 'unreachable'
    }
  }

  #show(state: SignInState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

function codeIn(hash: string): string | undefined {
  return new URLSearchParams(hash.slice(1)).get('code') ?? undefined
}
