import type { InboxItem } from '@toolbridge/api'
import { fieldsOf } from '../forms/schema.ts'
import type { Entry } from '../forms/schema-form.tsx'
import { holdsSecret } from '../forms/without-secrets.ts'

/** Returns the part of a typed answer that may be stored: no secret. Undefined if there is none. */
export function storableAnswer(question: InboxItem, typed: unknown): unknown {
  if (question.kind === 'input') return question.input.isSecret ? undefined : typed
  if (question.kind !== 'form' || typed === undefined) return undefined
  return withoutSecretFields(question.schema, typed as Entry)
}

function withoutSecretFields(schema: Readonly<Record<string, unknown>>, entry: Entry): Entry | undefined {
  // Answers are never typed as JSON.
  if (entry.kind === 'json') return undefined
  const secret = new Set(fieldsOf(schema).flatMap((field) => (holdsSecret(field) ? [field.name] : [])))
  const draft = Object.fromEntries(Object.entries(entry.draft).filter(([name]) => !secret.has(name)))
  return { kind: 'controls', draft, errors: {} }
}
