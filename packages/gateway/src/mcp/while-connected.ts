import { type Answerer, linkedSignal } from '@toolbridge/bridge'

/**
 * Asks only as long as somebody waits for what the call returns: when the host is gone, an open question is withdrawn and
 * counts as dismissed, so that nobody approves a call whose result reaches nobody.
 */
export function whileConnected(answerer: Answerer, gone: AbortSignal): Answerer {
  return {
    ...(answerer.kinds === undefined ? {} : { kinds: answerer.kinds }),
    async ask(question, { signal }) {
      using ended = linkedSignal(signal, gone)
      try {
        return await answerer.ask(question, { signal: ended.signal })
      } catch (error) {
        if (gone.aborted && !signal.aborted) return { action: 'cancel' }
        throw error
      }
    },
  }
}
