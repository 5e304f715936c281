import type { Redaction } from '../journal/redaction/redaction.ts'
import type { Secrets } from '../journal/redaction/secrets.ts'
import { isJsonObject } from '@toolbridge/client/internal'
import { mapTexts } from '../text/map-texts.ts'
import type { Answer, Answerer, Question } from './question.ts'

/**
 * Wraps an answerer: questions reach it without the secrets of definitions, whatever a server writes into them or a model
 * into its arguments, and its answers are redacted from everything but questions.
 */
export function redactingAnswerer(answerer: Answerer, redaction: Redaction): Answerer {
  return {
    ...(answerer.kinds === undefined ? {} : { kinds: answerer.kinds }),
    async ask(question, options) {
      const answer = await answerer.ask(redactedQuestion(question, redaction.definitions), options)
      const content = contentOf(answer)
      if (content !== undefined) redaction.answered(valuesNotOffered(question, content))
      return answer
    },
  }
}

/** Wraps the approver of the options, if there is one. */
export function redactingApprover(
  { approver }: { readonly approver?: Answerer },
  redaction: Redaction,
): { readonly approver?: Answerer } {
  return approver === undefined ? {} : { approver: redactingAnswerer(approver, redaction) }
}

/** Masks secrets in the text of a question and leaves out defaults that contain one. A URL stays as it is, because the person has to open it. */
export function redactedQuestion<Q extends Question>(question: Q, secrets: Secrets): Q {
  if (secrets.isEmpty) return question
  const shown = Object.fromEntries(
    shownFields.flatMap((field) => (field in question ? [[field, Reflect.get(question, field)]] : [])),
  )
  const redacted = mapTexts(shown, (text) => secrets.mask(text))
  return redacted === shown ? question : Object.assign({}, question, redacted)
}

const shownFields = [
  'tool',
  'message',
  'detail',
  'arguments',
  'change',
  'reason',
  'schema',
  'scopes',
] as const

function contentOf(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  return answer.action === 'accept' && isJsonObject(answer.content) ? answer.content : undefined
}

/** Values that the form itself offers are known to everyone who sees the form, so they are not secrets. */
function valuesNotOffered(
  question: Question,
  content: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const offered = 'schema' in question ? JSON.stringify(question.schema) : ''
  return Object.values(content)
    .flat()
    .filter((value) => !offered.includes(JSON.stringify(value)))
}
