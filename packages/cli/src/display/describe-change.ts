import { escapeInvisible } from '@toolbridge/client/internal'
import type { ServerSpec } from '@toolbridge/bridge/config'
import { maskedServer } from './masked-server.ts'

/** A change of the definition of one server. */
interface ServerChange {
  /** Undefined if it is added. */
  readonly before?: ServerSpec | undefined
  /** Undefined if it is removed. */
  readonly after?: ServerSpec | undefined
  /** Whether the values of `after` are shown, which is then of Toolbridge itself. Default: false. */
  readonly isOwn?: boolean
}

/**
 * The fields in which a definition changes, as lines with `-` and `+`. They have nothing of the rest of the file, which has the
 * secrets of other servers.
 */
export function describeChange({ before, after, isOwn = false }: ServerChange): readonly string[] {
  const [then, now] = [definitionFields(before), definitionFields(after)]
  const [shownThen, shownNow] = [
    definitionFields(before && maskedServer(before)),
    isOwn ? now : definitionFields(after && maskedServer(after)),
  ]
  const fields = [...new Set([...then.keys(), ...now.keys()])]
  return fields
    .filter((field) => then.get(field) !== now.get(field))
    .flatMap((field) => [
      ...changedLine('-', field, shownThen.get(field)),
      ...changedLine('+', field, shownNow.get(field)),
    ])
}

function changedLine(sign: string, field: string, shown: string | undefined): readonly string[] {
  return shown === undefined ? [] : [`${sign} ${field.padEnd(10)} ${shown}`]
}

/** What a definition says about how to reach a server and what it may do, as exact JSON by field. */
export function definitionFields(server: ServerSpec | undefined): ReadonlyMap<string, string> {
  if (server === undefined) return new Map()
  // The preset is that of the host.
  const {
    name: _name,
    source: _source,
    enabled,
    required: _required,
    dialect: _dialect,
    preset: _preset,
    ...entry
  } = server
  const fields = Object.entries(enabled ? entry : { ...entry, enabled }).filter(
    ([, value]) => !isEmptyObject(value),
  )
  return new Map(fields.map(([field, value]) => [field, exact(value)]))
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** JSON with characters escaped that are invisible or move the cursor. */
export function exact(value: unknown): string {
  return escapeInvisible(JSON.stringify(value))
}
