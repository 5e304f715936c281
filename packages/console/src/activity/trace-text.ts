import type { ActivityQuestion, ActivityTraceResponse, ShownJson } from '@toolbridge/api'
import { durationText } from '../ui/time.tsx'

const kinds: Readonly<Record<ActivityQuestion['kind'], string>> = {
  approval: 'Your approval was asked for',
  form: 'The server asked you to fill in a form',
  url: 'The server asked you to open a page',
  input: 'The server needed a value',
  consent: 'The server asked for your consent',
}
const answers: Readonly<Record<NonNullable<ActivityQuestion['action']>, string>> = {
  accept: 'accepted',
  decline: 'declined',
  cancel: 'cancelled',
}

/** Says what was asked and answered, and how long that took. */
export function questionSentence({ kind, askedAt, answeredAt, action }: ActivityQuestion): string {
  if (action === undefined || answeredAt === undefined) return `${kinds[kind]}, and it was not answered.`
  const after = durationText(Math.max(0, Date.parse(answeredAt) - Date.parse(askedAt)))
  return `${kinds[kind]}, and it was ${answers[action]} after ${after}.`
}

/** Says what decided about the call. */
export function permissionSentence(permission: ActivityTraceResponse['permission']): string {
  if (permission === undefined) return 'The call ended before anything decided about it.'
  return `${permission.verdict === 'allow' ? 'Allowed' : 'Denied'} because of: ${permission.reason}.`
}

/** Indents JSON; a text that was cut off stays as it is. */
export function shownText({ text, omitted }: ShownJson): string {
  if (omitted > 0) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
