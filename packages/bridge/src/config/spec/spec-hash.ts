import { createHash } from 'node:crypto'
import { isJsonObject } from '@toolbridge/client/internal'
import type { ServerSpec } from './server-spec.ts'

/**
 * Hashes what a definition starts or connects to and what it allows. Source, dialect, `required` and `replace`
 * are excluded, so changing them does not restart a server.
 */
export function specHash(spec: ServerSpec): string {
  const { source: _source, required: _required, dialect: _dialect, replace: _replace, ...whatMatters } = spec
  return createHash('sha256')
    .update(JSON.stringify(sorted(whatMatters)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, sorted(inner)])
}
