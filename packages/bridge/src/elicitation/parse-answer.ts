import type { ElicitValue } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import type { Answer, ApprovalDecision } from './question.ts'

const decisions: ReadonlySet<unknown> = new Set<ApprovalDecision>(['once', 'session', 'tool', 'always'])

/** Parses an answer from an untrusted source; undefined if malformed. Does not check it against the question. */
export function parseAnswer(value: unknown): Answer | undefined {
  if (!isJsonObject(value)) return undefined
  const { action, content, decision } = value
  if (action === 'decline' || action === 'cancel') return { action }
  if (action !== 'accept') return undefined
  if (content !== undefined && !isContent(content)) return undefined
  if (decision !== undefined && !isDecision(decision)) return undefined
  return {
    action,
    ...(content === undefined ? {} : { content }),
    ...(decision === undefined ? {} : { decision }),
  }
}

function isContent(value: unknown): value is Readonly<Record<string, ElicitValue>> {
  return isJsonObject(value) && Object.values(value).every(isElicitValue)
}

function isElicitValue(value: unknown): value is ElicitValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string')
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isDecision(value: unknown): value is ApprovalDecision {
  return decisions.has(value)
}
