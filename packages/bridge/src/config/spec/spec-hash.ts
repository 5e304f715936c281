import { createHash } from 'node:crypto'
import { isJsonObject } from '@toolbridge/client/internal'
import type { ServerSpec } from './server-spec.ts'

/**
 * Identifies what a definition starts or reaches, and what may be done with it. Where and how it was written and whether
 * it is required do not count, so none of that makes a running server start anew.
 */
export function specHash(spec: ServerSpec): string {
  const { source: _source, required: _required, dialect: _dialect, ...whatMatters } = spec
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
