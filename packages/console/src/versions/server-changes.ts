import type { ConfigChange, ConfigValueType } from '@toolbridge/api'
import { pointerSteps } from '../ui/json.ts'

/** What happened to a place. */
export type ChangeKind = 'added' | 'removed' | 'changed'

/** A difference at one place of a server. */
export interface FieldChange {
  readonly kind: ChangeKind
  /** Keys inside of the entry, such as `env › TOKEN`; empty for the whole server. */
  readonly place: string
  /** What was there, in words or as JSON. Absent if it was added. */
  readonly before?: string
  /** What is there. Absent if it was removed. */
  readonly after?: string
}

/** The differences of one server. */
export interface ServerChange {
  readonly server: string
  readonly fields: readonly FieldChange[]
}

/** Groups differences by server, in their order. */
export function serverChanges(changes: readonly ConfigChange[]): readonly ServerChange[] {
  const servers = new Map<string, FieldChange[]>()
  for (const change of changes) {
    const [, server = '', ...keys] = pointerSteps(change.path)
    const fields = servers.get(server) ?? []
    fields.push(fieldChange(change, keys))
    servers.set(server, fields)
  }
  return [...servers].map(([server, fields]) => ({ server, fields }))
}

/** Says in one sentence what a change of all servers amounts to. */
export function changesSummary(changes: readonly ServerChange[]): string {
  const parts = (['added', 'removed', 'changed'] as const).flatMap((kind) => {
    const names = changes.filter((change) => kindOf(change) === kind).map(({ server }) => server)
    return names.length === 0 ? [] : [`${verbs[kind]} ${names.join(', ')}`]
  })
  return parts.length === 0 ? 'The servers are the same.' : `${capital(parts.join('; '))}.`
}

const verbs: Readonly<Record<ChangeKind, string>> = { added: 'adds', removed: 'removes', changed: 'changes' }

function kindOf({ fields }: ServerChange): ChangeKind {
  const [first] = fields
  return first?.place === '' ? first.kind : 'changed'
}

function fieldChange(
  { before, after, beforeText, afterText }: ConfigChange,
  keys: readonly string[],
): FieldChange {
  return {
    kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    place: keys.join(' › '),
    ...(before === undefined ? {} : { before: shown(before, beforeText) }),
    ...(after === undefined ? {} : { after: shown(after, afterText) }),
  }
}

/** A value that may be a secret is not in the difference. */
function shown(type: ConfigValueType, text: string | undefined): string {
  if (text === undefined) return `hidden ${type === 'string' ? 'text' : type}`
  return type === 'object' || type === 'array' ? JSON.stringify(JSON.parse(text), hideKept, 2) : text
}

/** References name a version of the settings, which says nothing to a reader. */
function hideKept(_key: string, value: unknown): unknown {
  const isReference =
    typeof value === 'object' && value !== null && 'kept' in value && Object.keys(value).length === 1
  return isReference ? 'hidden text' : value
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
