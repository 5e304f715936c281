import type { McpUnauthorizedError } from '@toolbridge/client'
import { abortable, KeyedMutex, linkedSignal } from '@toolbridge/client/internal'
import { askConsent } from '../elicitation/consent.ts'
import type { Origin } from '../origin.ts'
import type { CallInFlight, QuestionRouter } from '../elicitation/router.ts'
import type { Clock } from '../async/clock.ts'
import type { Credential } from '../upstream/connections/open-connection.ts'

export interface SignInsOptions {
  readonly router: Pick<QuestionRouter, 'answererFor'>
  readonly clock: Clock
  /** Timeout for the consent and the sign-in. */
  readonly timeoutMs: number
  /** Aborted when the bridge closes. */
  readonly closing: AbortSignal
}

/** A call that its server rejected as unauthorized. */
export interface RefusedCall extends Pick<CallInFlight, 'answerer'> {
  readonly server: string
  readonly origin: Origin
}

/** The result of a sign-in. */
interface SignInResult {
  readonly isSignedIn: boolean
}

/** Signs people in when a server rejects their calls. */
export class SignIns {
  readonly #options: SignInsOptions
  readonly #mutex = new KeyedMutex()
  /** The latest result per account. */
  readonly #outcomes = new Map<string, SignInResult>()

  constructor(options: SignInsOptions) {
    this.#options = options
  }

  /**
   * Whether the call is worth making again: it failed for want of a sign-in, and its person has signed in meanwhile. Who
   * is asked on behalf of one call is not asked again for those that failed before the answer. Rejects as the sign-in
   * does, and with the signal's reason.
   */
  async signIn(
    refusal: McpUnauthorizedError,
    call: RefusedCall,
    account: Credential | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const url = refusal.authorizationUrl
    const signedIn = account?.signedIn
    if (url === undefined || signedIn === undefined) return false
    const { router, clock, closing, timeoutMs } = this.#options
    const answerer = router.answererFor(call.origin, call.answerer)
    if (answerer === undefined) return false
    const tooLate = new AbortController()
    const stop = clock.after(timeoutMs, () => tooLate.abort(refusal))
    using ended = linkedSignal(signal, closing, tooLate.signal)
    const { server, origin } = call
    try {
      return await this.#once(JSON.stringify([server, origin.principal]), ended.signal, async () => {
        if (!(await isAgreed(askConsent(answerer, { server, origin, url }, ended), ended.signal)))
          return false
        await abortable(signedIn(url, ended), ended.signal)
        return true
      })
    } finally {
      stop()
    }
  }

  /** Signs in, unless another call of the account did or declined while this one waited. */
  #once(account: string, signal: AbortSignal, signIn: () => Promise<boolean>): Promise<boolean> {
    const before = this.#outcomes.get(account)
    return this.#mutex.run(account, signal, async () => {
      const latest = this.#outcomes.get(account)
      if (latest !== undefined && latest !== before) return latest.isSignedIn
      try {
        const isSignedIn = await signIn()
        this.#outcomes.set(account, { isSignedIn })
        return isSignedIn
      } catch (error) {
        // An aborted sign-in decides nothing for the other calls.
        if (!signal.aborted) this.#outcomes.set(account, { isSignedIn: false })
        throw error
      }
    })
  }
}

/** A failing channel counts as a refusal; its error may contain the URL. */
async function isAgreed(asking: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  try {
    return await asking
  } catch {
    signal.throwIfAborted()
    return false
  }
}
