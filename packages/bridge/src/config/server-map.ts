import type { DialectInput, DialectPolicy } from './dialects/dialect.ts'
import { type Field, type Finding, fieldsOf, type Place, type Report, repeatedFields } from './document.ts'
import { readEntry } from './entry.ts'
import { mayRestrict, widening, widens } from './restricting.ts'
import type { ServerSpec } from './spec.ts'

/** Reads a map from server name to entry, found under `key` of the root; the usual shape of most dialects. */
export function readServerMap(
  input: DialectInput,
  key: string,
  policy: DialectPolicy,
): readonly ServerSpec[] {
  const map = input.fields.find((field) => field.key === key)
  const others = input.fields.filter((field) => field.key !== key && !policy.knownFields.includes(field.key))
  const wholeFileIsRefused = others.map((field) => reportUnread(field, input.report)).includes('refused')
  if (map === undefined) return []
  if (map.node.type !== 'object') {
    input.report(map, notAMap(key))
    return []
  }
  const servers = readEntries(map, input, policy)
  return wholeFileIsRefused ? [] : servers
}

function readEntries(map: Field, input: DialectInput, policy: DialectPolicy): readonly ServerSpec[] {
  const entries = fieldsOf(map)
  const repeated = repeatedFields(entries)
  for (const entry of repeated) input.report(entry, duplicate(entry.key))
  const ambiguous = new Set(repeated.map(({ key }) => key))
  return entries
    .filter(({ key }) => !ambiguous.has(key))
    .flatMap((entry) => {
      let refused = false
      const report: Report = (place: Place, finding: Finding) => {
        refused ||= finding.severity === 'error'
        input.report(place, finding)
      }
      const spec = readEntry(entry, policy, { file: input.file, report })
      return spec === undefined || refused ? [] : [spec]
    })
}

function reportUnread(field: Field, report: Report): 'refused' | 'dropped' {
  if (widens(field.key)) {
    report(field, widening('the document', field.key))
    return 'dropped'
  }
  if (!mayRestrict(field.key)) {
    report(field, {
      code: 'field_unknown',
      severity: 'warning',
      message: `"${field.key}" is not understood and was dropped`,
      fix: 'remove it, or check its spelling',
    })
    return 'dropped'
  }
  report(field, {
    code: 'field_restricts',
    severity: 'error',
    message: `"${field.key}" seems to narrow what servers may do and is not understood, so none of them is used`,
    fix: `remove "${field.key}"; turn servers off with "disabled": true and tools off with permission rules`,
  })
  return 'refused'
}

function notAMap(key: string): Finding {
  return {
    code: 'field_invalid',
    severity: 'error',
    message: `"${key}" must be an object with one property per server`,
    fix: `write { "${key}": { "<name>": { "command": "…" } } }`,
  }
}

function duplicate(name: string): Finding {
  return {
    code: 'server_duplicate',
    severity: 'error',
    message: `server "${name}" is defined twice, so neither definition is used`,
    fix: 'rename or remove one of them',
  }
}
