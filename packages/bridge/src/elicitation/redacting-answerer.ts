import type { Redaction } from '../journal/redaction/redaction.ts'
import type { Secrets } from '../journal/redaction/secrets.ts'
import { isJsonObject } from '@toolbridge/client/internal'
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

/** Masks secrets in the text of a question. A URL stays as it is, because the person has to open it. */
export function redactedQuestion<Q extends Question>(question: Q, secrets: Secrets): Q {
  if (secrets.isEmpty) return question
  let redacted = question
  for (const field of shownFields) {
    const value: unknown = Reflect.get(question, field)
    const shown = redactedValue(value, field, secrets, 0)
    if (shown !== value) redacted = { ...redacted, [field]: shown }
  }
  return redacted
}

/** In a schema only descriptive text is masked: the values it offers become part of the answer. */
function redactedValue(value: unknown, key: string, secrets: Secrets, depth: number): unknown {
  if (typeof value === 'string') return textFields.has(key) ? secrets.mask(value) : value
  if (depth > maxDepth || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactedValue(item, key, secrets, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(
    ([name, item]) => [name, redactedValue(item, name, secrets, depth + 1)] as const,
  )
  return entries.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(entries)
}

const maxDepth = 32

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

/** Fields of a question, at any depth, whose text is shown to a person. */
const textFields: ReadonlySet<string> = new Set([...shownFields, 'text', 'title', 'description', 'enumNames'])

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
