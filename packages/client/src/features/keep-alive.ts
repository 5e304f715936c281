import { closedError, McpError } from '../jsonrpc/jsonrpc.ts'
import { unrefTimer } from '../timing/unref-timer.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'

export interface KeepAliveOptions {
  readonly intervalMs: number
  readonly ping: (options: RequestOptions) => Promise<void>
  /** Called when a ping is not answered. */
  readonly onMissed: (error: unknown) => void
  /** Called when too many pings in a row were not answered. */
  readonly onLost: (reason: McpError) => void
}

/** Unanswered pings in a row after which the server is considered dead. Fewer may mean that it is busy. */
const MISSES_ALLOWED = 3

/** Pings at an interval, one at a time, with an unreferenced timer. Returns a function that stops it. */
export function keepAlive({ intervalMs, ping, onMissed, onLost }: KeepAliveOptions): () => void {
  const stopped = new AbortController()
  let misses = 0
  let isWaiting = false
  const stop = (): void => {
    clearInterval(timer)
    stopped.abort()
  }
  const beat = async (): Promise<void> => {
    if (isWaiting) return
    isWaiting = true
    const error = await missOf(ping({ timeoutMs: intervalMs, signal: stopped.signal }))
    isWaiting = false
    if (stopped.signal.aborted) return
    misses = error === undefined ? 0 : misses + 1
    if (error !== undefined) onMissed(error)
    if (misses < MISSES_ALLOWED) return
    stop()
    onLost(closedError('the server did not answer pings; the connection was closed'))
  }
  const timer = unrefTimer(setInterval(() => void beat(), intervalMs))
  return stop
}

/** An error response proves that the server is alive. */
async function missOf(ping: Promise<void>): Promise<unknown> {
  try {
    await ping
    return undefined
  } catch (error) {
    return error instanceof McpError && error.kind === 'peer' ? undefined : error
  }
}
