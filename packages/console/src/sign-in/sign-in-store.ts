import { type GatewayClient, GatewayError } from '@toolbridge/react'

/** State of the sign-in. */
export type SignInState =
  | { readonly kind: 'signing-in' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'signed-out'; readonly reason: SignedOutReason }

/** Why no one is signed in: no code, code rejected, token expired, signed out by the person, or gateway unreachable. */
export type SignedOutReason = 'no-code' | 'code-refused' | 'expired' | 'signed-out' | 'unreachable'

/** The parts of `Window` that signing in uses. */
export interface SignInWindow {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>
  readonly history: Pick<History, 'replaceState'>
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  addEventListener(type: 'hashchange', listener: () => void): void
  addEventListener(type: 'storage', listener: (event: Pick<StorageEvent, 'key'>) => void): void
}

const storageKey = 'toolbridge.bearer'

/**
 * Exchanges the single-use code in the URL for a bearer token, which all tabs of the browser share. The code is removed from
 * the address bar before it is sent. The token is never in a URL or a cookie.
 */
export class SignInStore {
  readonly #window: SignInWindow
  readonly #listeners = new Set<() => void>()
  #state: SignInState = { kind: 'signing-in' }

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
  start(client: Pick<GatewayClient, 'signIn'>): void {
    this.#window.addEventListener('hashchange', () => {
      if (codeIn(this.#window.location.hash) !== undefined) void this.#enter(client)
    })
    this.#window.addEventListener('storage', ({ key }) => {
      if (key === storageKey || key === null) this.#follow()
    })
    void this.#enter(client)
  }

  /** Revokes the token and forgets it, in all tabs; forgets it also if the gateway does not respond. */
  async signOut(client: Pick<GatewayClient, 'signOut'>): Promise<void> {
    await client.signOut().catch(() => undefined)
    this.#forget('signed-out')
  }

  /** Returns a `fetch` that signs out on a 401 response. */
  watch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const sent = this.token()
      const response = await fetch(input, init)
      // Another tab may have signed in meanwhile.
      if (response.status === 401 && this.token() === sent) this.#forget('expired')
      return response
    }
  }

  #forget(reason: SignedOutReason): void {
    this.#window.localStorage.removeItem(storageKey)
    this.#show({ kind: 'signed-out', reason })
  }

  /** Another tab signed in or out. */
  #follow(): void {
    if (this.token() !== undefined) this.#show({ kind: 'signed-in' })
    else if (this.#state.kind === 'signed-in') this.#show({ kind: 'signed-out', reason: 'signed-out' })
  }

  async #enter(client: Pick<GatewayClient, 'signIn'>): Promise<void> {
    const code = this.#takeCode()
    const failure = code === undefined ? 'no-code' : await this.#exchange(client, code)
    if (this.token() !== undefined) this.#show({ kind: 'signed-in' })
    else this.#show({ kind: 'signed-out', reason: failure ?? 'no-code' })
  }

  #takeCode(): string | undefined {
    const { hash, pathname, search } = this.#window.location
    const code = codeIn(hash)
    if (code !== undefined) this.#window.history.replaceState(null, '', pathname + search)
    return code
  }

  async #exchange(client: Pick<GatewayClient, 'signIn'>, code: string): Promise<SignedOutReason | undefined> {
    try {
      const { token } = await client.signIn(code)
      this.#window.localStorage.setItem(storageKey, token)
      return undefined
    } catch (error) {
      const isAnswered =
        error instanceof GatewayError && ['unauthorized', 'invalid', 'refused'].includes(error.kind)
      return isAnswered ? 'code-refused' : 'unreachable'
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
