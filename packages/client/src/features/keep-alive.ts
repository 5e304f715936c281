import { closedError, McpError } from '../jsonrpc/jsonrpc.ts'
import { unrefTimer } from '../timing/unref-timer.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'

export interface KeepAliveOptions {
  readonly intervalMs: number
  readonly ping: (options: RequestOptions) => Promise<void>
  /** A ping got no answer. */
  readonly onMissed: (error: unknown) => void
  /** So many in a row got none that the server has to be taken for gone. */
  readonly onLost: (reason: McpError) => void
}

/** A server may be busy for a while; one that misses this many pings in a row is gone. */
const MISSES_ALLOWED = 3

/** Pings at an interval, one at a time, without holding the process open. Returns how to stop it. */
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
    onLost(closedError('the server stopped answering pings and was taken for gone'))
  }
  const timer = unrefTimer(setInterval(() => void beat(), intervalMs))
  return stop
}

/** An error that the server sent is a sign of life like any answer. */
async function missOf(ping: Promise<void>): Promise<unknown> {
  try {
    await ping
    return undefined
  } catch (error) {
    return error instanceof McpError && error.kind === 'peer' ? undefined : error
  }
}
