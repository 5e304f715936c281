import { isInteractive, type Terminal } from '../../terminal.ts'

/**
 * Runs something that Ctrl-C cancels without ending the command: the signal of the terminal it gets is aborted. Without an
 * interactive terminal Ctrl-C ends the command.
 */
export async function interruptible<T>(
  terminal: Terminal,
  work: (terminal: Terminal) => Promise<T>,
): Promise<T> {
  if (!isInteractive(terminal)) return work(terminal)
  const cancelling = new AbortController()
  using _taken = terminal.takeInterrupt?.(() => cancelling.abort(new DOMException('cancelled', 'AbortError')))
  const signal = AbortSignal.any([terminal.signal, cancelling.signal])
  try {
    return await work({ ...terminal, signal })
  } catch (error) {
    // A library may reject with an error of its own.
    throw signal.aborted ? signal.reason : error
  }
}
