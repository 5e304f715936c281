import type { Answerer } from '@toolbridge/bridge'

/**
 * Approves a call, and leaves other questions to the keyboard: also approvals of a changed tool and of a call that names a
 * control file, which only a person can give.
 */
export function approving(keyboard: Answerer | undefined): Answerer {
  return {
    ...(keyboard === undefined ? { kinds: ['approval'] as const } : {}),
    async ask(question, options) {
      const isOrdinary =
        question.kind === 'approval' && question.change === undefined && question.decisions?.length !== 1
      if (isOrdinary) return { action: 'accept', decision: 'once' }
      if (keyboard === undefined) throw new Error('there is no terminal')
      return keyboard.ask(question, options)
    },
  }
}
