import type { Answerer } from '@toolbridge/bridge'
import { linkedSignal } from '@toolbridge/client/internal'
import { wrapAnswerer } from '../inbox/wrap-answerer.ts'

/**
 * Asks only while the host is connected. When the host disconnects, an open question is withdrawn and counts as
 * cancelled, so that nobody approves a call whose result cannot be delivered.
 */
export function whileConnected(answerer: Answerer, disconnectedOf: () => AbortSignal): Answerer {
  return wrapAnswerer(answerer, async (question, { signal }) => {
    const disconnected = disconnectedOf()
    using ended = linkedSignal(signal, disconnected)
    try {
      return await answerer.ask(question, { signal: ended.signal })
    } catch (error) {
      if (disconnected.aborted && !signal.aborted) return { action: 'cancel' }
      throw error
    }
  })
}
