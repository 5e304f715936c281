import type { Answer, Answerer, Question } from './question.ts'
import { isRecord } from '../record.ts'
import type { Redaction } from '../journal/redaction/redaction.ts'

/**
 * The same answerer, which is shown no secret of a definition, whatever a server writes into its question or a model into
 * its arguments, and whose answers are told nobody but the one who asked.
 */
export function discreetAnswerer(answerer: Answerer, redaction: Redaction): Answerer {
  return {
    ...(answerer.kinds === undefined ? {} : { kinds: answerer.kinds }),
    async ask(question, options) {
      const answer = await answerer.ask(redaction.question(question), options)
      const said = saidIn(answer)
      if (said !== undefined) redaction.answered(unknownTo(question, said))
      return answer
    },
  }
}

/** Whoever approves in place of other answerers is shown no secret either. */
export function discreetApprover(
  { approver }: { readonly approver?: Answerer },
  redaction: Redaction,
): { readonly approver?: Answerer } {
  return approver === undefined ? {} : { approver: discreetAnswerer(approver, redaction) }
}

function saidIn(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  return answer.action === 'accept' && isRecord(answer.content) ? answer.content : undefined
}

/** What a form offers to choose from is known to whoever can see the form. */
function unknownTo(question: Question, said: Readonly<Record<string, unknown>>): readonly unknown[] {
  const offered = 'schema' in question ? JSON.stringify(question.schema) : ''
  return Object.values(said)
    .flat()
    .filter((value) => !offered.includes(JSON.stringify(value)))
}
