import { createHash } from 'node:crypto'
import { isJsonObject } from '@toolbridge/client/internal'
import type { ServerSpec } from './server-spec.ts'

/** Hashes what a definition starts or connects to and what it allows. */
export function specHash(spec: ServerSpec): string {
  return createHash('sha256').update(specText(spec)).digest('hex')
}

/**
 * What a definition starts or connects to and what it allows, as text. Source, dialect, `required` and `replace` are
 * excluded, so changing them does not restart a server.
 */
export function specText(spec: ServerSpec): string {
  const { source: _source, required: _required, dialect: _dialect, replace: _replace, ...whatMatters } = spec
  return JSON.stringify(sorted(whatMatters))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, sorted(inner)])
}
