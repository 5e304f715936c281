import type { ExplainedField, ExplainedServer, KeptSecret, ServerEntry } from '@toolbridge/api'
import { pointerSteps } from '../ui/json.ts'

/** The command line or address of an entry. What may be a secret is masked in it. */
export function targetOf(entry: ServerEntry): string {
  if ('url' in entry) return shown(entry.url)
  return [entry.command, ...(entry.args ?? [])].map((word) => quoted(shown(word))).join(' ')
}

/** Masked texts are texts too. */
function shown(text: string | KeptSecret): string {
  return typeof text === 'string' ? text : '…'
}

function quoted(word: string): string {
  return word === '' || /[\s"']/.test(word) ? JSON.stringify(word) : word
}

/** What is known of a server beside its target, as label and text. */
export function detailsOf({ definition, entry }: ExplainedServer): readonly (readonly [string, string])[] {
  if (definition === undefined || entry === undefined) return []
  const { environment, headers = [], timeouts, transport, maySignIn, start } = definition
  return [
    ['Transport', transports[transport]] as const,
    ...(targetOf(entry).includes('…') ? [['Hidden', 'What may be a secret is shown as …'] as const] : []),
    ...listed('Variables', environment?.sets ?? []),
    ...listed('Headers', headers),
    ...(maySignIn === true ? [['Sign-in', 'If the server asks for it'] as const] : []),
    ...('timeouts' in entry && entry.timeouts !== undefined
      ? [['Timeouts', `${timeouts.startMs / 1000} s to start, ${timeouts.callMs / 1000} s per call`] as const]
      : []),
    ...(start === 'eager' ? [] : [['Start', start === 'lazy' ? 'When it is needed' : 'On demand'] as const]),
    ...(entry.disabled === true ? [['State', 'Saved, but turned off'] as const] : []),
  ]
}

const transports = {
  stdio: 'Program on the gateway’s machine',
  http: 'Streamable HTTP',
  sse: 'HTTP with server-sent events',
  ws: 'WebSocket',
} as const

function listed(label: string, names: readonly string[]): readonly (readonly [string, string])[] {
  return names.length === 0 ? [] : [[label, names.join(', ')]]
}

/** The fields of a server that are not saved as they were written. What is refused is among the reasons of the server. */
export function changedFields(name: string, fields: readonly ExplainedField[]): readonly ExplainedField[] {
  return fields.filter(
    ({ server, outcome }) => server === name && (outcome === 'translated' || outcome === 'dropped'),
  )
}

/** The last key of a JSON pointer. */
export function fieldName({ path }: Pick<ExplainedField, 'path'>): string {
  return pointerSteps(path).at(-1) ?? path
}
