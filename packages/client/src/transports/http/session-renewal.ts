import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import { sessionLostError } from '../../http/http-errors.ts'
import type { HttpEndpoint } from '../../http/http-endpoint.ts'

export interface SessionRenewalOptions {
  readonly endpoint: HttpEndpoint
  /** Opens a new session and tells it what the old one was told; undefined if nobody can. */
  readonly reopen: () => Promise<void> | undefined
  /** There is no session any more, and none to be had. */
  readonly onLost: (reason: unknown) => void
  /** Hears that the new session, which is open, does not know all that the old one did. */
  readonly warn: (warning: McpError) => void
}

/** Puts a new session in the place of one that the server forgot. */
export class SessionRenewal {
  readonly #options: SessionRenewalOptions
  #open: (() => void) | undefined
  /** Whether the server has answered anything in this session. A new one that it forgets at once is not replaced. */
  #isProven = true

  constructor(options: SessionRenewalOptions) {
    this.#options = options
  }

  /** The handshake is over: requests may be made. */
  opened(): void {
    this.#open?.()
  }

  confirm(): void {
    this.#isProven = true
  }

  /** Resolves when a new session is open; rejects when there is none to be had. Not while it is renewed already. */
  async renew(): Promise<void> {
    const reopen = this.#isProven ? this.#options.reopen : () => undefined
    this.#isProven = false
    this.#options.endpoint.forgetSession()
    let isOpen = false
    try {
      const opening = reopen()
      if (opening === undefined) throw sessionLostError()
      await new Promise<void>((resolve, reject) => {
        this.#open = resolve
        opening.then(resolve, (reason: unknown) => {
          if (isOpen) this.#options.warn(incompleteSession(reason))
          else reject(reason)
        })
      })
      isOpen = true
    } catch (reason) {
      this.#options.onLost(reason)
      throw reason
    }
  }
}

function incompleteSession(cause: unknown): McpError {
  const message = 'the server forgot the session; the new one could not be told all that the old one was told'
  return new McpError(message, { kind: 'closed', code: McpErrorCode.ConnectionClosed, cause })
}
