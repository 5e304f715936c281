import { closedError, type McpError } from '../jsonrpc.ts'
import { pause } from '../pauses.ts'
import type { McpTransport } from '../transport.ts'

export interface RevivalsOptions {
  readonly transport: McpTransport
  /** How often in a row, at most. */
  readonly max: number
  /** Aborted when nobody wants the server any more. */
  readonly signal: AbortSignal
}

/** A server that lived this long was well again: what happened before does not count. */
const HEALTHY_MS = 60_000

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** Starts a server again whenever it died, but not without end. */
export class Revivals {
  readonly #options: RevivalsOptions
  #inARow = 0
  #lastAt = 0

  constructor(options: RevivalsOptions) {
    this.#options = options
  }

  /** Resolves with what there is to tell about it, or with undefined when the server is given up. */
  async revive(reason: McpError): Promise<McpError | undefined> {
    const { transport, max, signal } = this.#options
    if (performance.now() - this.#lastAt > HEALTHY_MS) this.#inARow = 0
    while (this.#inARow < max) {
      await pause(backoffMs(this.#inARow++), signal)
      if (signal.aborted) return undefined
      const failure = await failureOf(transport.restart?.())
      this.#lastAt = performance.now()
      if (failure === undefined) return revived(reason)
    }
    return undefined
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

function revived(reason: McpError): McpError {
  return closedError(`the server died and was started again: ${reason.message}`, reason.data)
}
