import type { Answerer } from '@toolbridge/bridge'
import { wrapAnswerer } from './wrap-answerer.ts'

/**
 * Approves a request that a person started in the console; but not if the tool has changed since it was approved. Other
 * questions are asked. Rules that deny the request apply before this.
 */
export function approveOwnRequest(answerer: Answerer): Answerer {
  return wrapAnswerer(answerer, async (question, options) => {
    const isApproved = question.kind === 'approval' && question.change === undefined
    return isApproved ? { action: 'accept' } : answerer.ask(question, options)
  })
}
