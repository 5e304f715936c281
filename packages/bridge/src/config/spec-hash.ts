import { createHash } from 'node:crypto'
import type { ServerSpec } from './spec.ts'

/**
 * Identifies what a definition starts or reaches. Where it was written and whether it is required do not count, so
 * neither makes a running server start anew.
 */
export function specHash(spec: ServerSpec): string {
  return createHash('sha256')
    .update(JSON.stringify(whatMatters(spec)))
    .digest('hex')
}

function whatMatters(spec: ServerSpec): readonly unknown[] {
  const commons = [spec.name, spec.enabled, spec.transport]
  switch (spec.transport) {
    case 'stdio':
      return [...commons, spec.command, spec.args, sorted(spec.env), spec.cwd ?? null]
    case 'http':
      return [...commons, spec.url, sorted(spec.headers)]
  }
}

function sorted(map: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
