import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import { sessionLostError } from '../../http/http-errors.ts'
import type { HttpEndpoint } from '../../http/http-endpoint.ts'

export interface SessionRenewalOptions {
  readonly endpoint: HttpEndpoint
  /** Opens a new session and restores the state of the old one; undefined if that is not possible. */
  readonly reopen: () => Promise<void> | undefined
  /** Called when no new session can be opened. */
  readonly onLost: (reason: unknown) => void
  /** Called when the new session is open but its state could not be restored. */
  readonly warn: (warning: McpError) => void
}

/** Replaces a session that the server lost. */
export class SessionRenewal {
  readonly #options: SessionRenewalOptions
  #open: (() => void) | undefined
  /** Whether the server has accepted a request in this session. A new one that is lost at once is not replaced. */
  #isConfirmed = true

  constructor(options: SessionRenewalOptions) {
    this.#options = options
  }

  /** Called at the end of the handshake. */
  opened(): void {
    this.#open?.()
  }

  confirm(): void {
    this.#isConfirmed = true
  }

  /** Resolves when a new session is open; rejects if none can be opened. Must not be called during a renewal. */
  async renew(): Promise<void> {
    const reopen = this.#isConfirmed ? this.#options.reopen : () => undefined
    this.#isConfirmed = false
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
  const message =
    'the server lost the session; the state of the old session was not fully restored in the new one'
  return new McpError(message, { kind: 'closed', code: McpErrorCode.ConnectionClosed, cause })
}
