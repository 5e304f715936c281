import type { StdioTransport } from './stdio-transport.ts'

/** Key of the observer of a transport's standard error. Users cannot reach it. */
export const stderrObserver: unique symbol = Symbol('stderrObserver')

/**
 * Calls the observer with each line of a server's standard error from now on, in place of the observer before it. Returns a
 * function that ends this. Does nothing for a transport that discards it.
 */
export function observeStderr(transport: StdioTransport, observe: (line: string) => void): () => void {
  transport[stderrObserver] = observe
  return () => {
    transport[stderrObserver] = undefined
  }
}
