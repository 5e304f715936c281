import { closedError, type McpError } from '../../jsonrpc/jsonrpc.ts'
import { delayUnref } from '../../timing/delay.ts'
import type { McpTransport } from '../../jsonrpc/transport.ts'
import type { HostOptions } from '../codec.ts'

export interface ServerRestartsOptions {
  readonly transport: McpTransport
  /** Says how often in a row, at most, and is told what became of it. */
  readonly host: Pick<HostOptions, 'restarts' | 'onWarning' | 'onClose'>
  /** Aborted when nobody wants the server any more. */
  readonly signal: AbortSignal
  /** It runs again, and knows nothing of what was before. */
  readonly onRestarted: () => void
  readonly onGivenUp: (reason: McpError) => void
}

/** A server that lived this long was well again: what happened before does not count. */
const HEALTHY_MS = 60_000

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** Starts a server again whenever it died, but not without end. */
export class ServerRestarts {
  readonly #options: ServerRestartsOptions
  #inARow = 0
  #lastAt = 0

  constructor(options: ServerRestartsOptions) {
    this.#options = options
  }

  /** The server died. Resolves when it runs again, is given up, or is not wanted any more. */
  async restart(reason: McpError): Promise<void> {
    const { host, signal, onRestarted: onRevived, onGivenUp } = this.#options
    const isRunning = await this.#try()
    if (signal.aborted) return
    if (isRunning) {
      onRevived()
      host.onWarning?.(restartedWarning(reason))
    } else {
      onGivenUp(reason)
      host.onClose?.(reason)
    }
  }

  async #try(): Promise<boolean> {
    const { transport, host, signal } = this.#options
    const { restarts = 0 } = host
    if (performance.now() - this.#lastAt > HEALTHY_MS) this.#inARow = 0
    while (this.#inARow < restarts) {
      await delayUnref(backoffMs(this.#inARow++), signal)
      if (signal.aborted) return false
      const failure = await failureOf(transport.restart?.())
      this.#lastAt = performance.now()
      if (failure === undefined) return true
    }
    return false
  }
}

async function failureOf(restarting: Promise<void> | undefined): Promise<unknown> {
  try {
    await restarting
    return undefined
  } catch (error) {
    return error
  }
}

/** The first time at once: most servers that die do so once. */
function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
}

function restartedWarning(reason: McpError): McpError {
  return closedError(`the server died and was started again: ${reason.message}`, reason.data)
}
