import { closedError, type McpError } from '../../jsonrpc/jsonrpc.ts'
import { delayUnref } from '../../timing/delay.ts'
import type { McpTransport } from '../../jsonrpc/transport.ts'
import type { HostOptions } from '../codec.ts'

export interface ServerRestartsOptions {
  readonly transport: McpTransport
  /** Limits the restarts and is notified of them. */
  readonly host: Pick<HostOptions, 'restarts' | 'onWarning' | 'onClose'>
  /** Aborted when the client closes. */
  readonly signal: AbortSignal
  /** Called after a restart. The server has lost its state. */
  readonly onRestarted: () => void
  readonly onGivenUp: (reason: McpError) => void
}

/** After this time, earlier failures no longer count. */
const HEALTHY_MS = 60_000

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** Restarts a server that died, up to a limit. */
export class ServerRestarts {
  readonly #options: ServerRestartsOptions
  #inARow = 0
  #lastAt = 0

  constructor(options: ServerRestartsOptions) {
    this.#options = options
  }

  /** Resolves when the server runs again, the limit is reached, or the client closes. */
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

/** The first restart is immediate: most servers that die do so once. */
function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
}

function restartedWarning(reason: McpError): McpError {
  return closedError(`the server died and was started again: ${reason.message}`, reason.data)
}
