import { isDeepStrictEqual } from 'node:util'
import type { Dialect } from '../dialects/dialect.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { type SpecFieldName, type SpecFields, specFieldPaths, specFieldsOf } from '../spec/spec-fields.ts'

/** A field of a definition that a dialect cannot express. */
export interface UnwritableField {
  /** Name of the server. */
  readonly server: string
  /** Canonical field, such as `timeouts.callMs`. */
  readonly field: string
  /** `dropped`: the server was written without the field. `refused`: the server was not written, since it would be allowed more. */
  readonly outcome: 'dropped' | 'refused'
  /** Why the field cannot be written. */
  readonly reason: string
}

/** Why the host could not use the whole server, or undefined if it can. */
export function unsupportedBy(
  { title, transports, names }: Dialect,
  { name, transport }: ServerSpec,
): readonly UnwritableField[] | undefined {
  const refused = { server: name, outcome: 'refused' } as const
  if (names?.test(name) === false)
    return [{ ...refused, field: 'name', reason: `${title} does not accept this name` }]
  if (transports?.includes(transport) !== false) return undefined
  const field = transport === 'stdio' ? 'command' : 'url'
  return [{ ...refused, field, reason: `${title} does not support ${transport} servers` }]
}

/** Compares a definition with the result of writing it and reading it back. */
export function findUnwritableFields(
  spec: ServerSpec,
  readBack: ServerSpec | undefined,
  title: string,
  reasons: ReadonlyMap<SpecFieldName, string> | undefined,
): readonly UnwritableField[] {
  const wanted = comparable(specFieldsOf(spec))
  if (readBack === undefined) {
    const field = spec.transport === 'stdio' ? 'command' : 'url'
    const reason = reasons?.get(field) ?? `${title} does not support ${spec.transport} servers`
    return [{ server: spec.name, field, outcome: 'refused', reason }]
  }
  const written = comparable(specFieldsOf(readBack))
  const specFields = new Set([...Object.keys(wanted), ...Object.keys(written)].filter(isSpecFieldName))
  return [...specFields]
    .filter((specField) => !isDeepStrictEqual(wanted[specField], written[specField]))
    .map((specField) => ({
      server: spec.name,
      field: specFieldPaths[specField],
      outcome: isHarmless(specField, wanted) ? 'dropped' : 'refused',
      reason: reasons?.get(specField) ?? `${title} has no equivalent field`,
    }))
}

function isSpecFieldName(key: string): key is SpecFieldName {
  return Object.hasOwn(specFieldPaths, key)
}

/** `KEY = ${env:KEY}` and inheriting KEY by name are equivalent, and an empty deny list is none. */
function comparable(specFields: SpecFields): SpecFields {
  const { env = {}, inheritNames = [], deny = [], ...rest } = specFields
  const handedOn = Object.keys(env).filter((name) => env[name] === `\${env:${name}}`)
  const own = Object.entries(env).filter(([name]) => !handedOn.includes(name))
  const names = [...new Set([...inheritNames, ...handedOn])].toSorted()
  return {
    ...rest,
    ...(deny.length === 0 ? {} : { deny }),
    ...(own.length === 0 ? {} : { env: Object.fromEntries(own) }),
    ...(names.length === 0 ? {} : { inheritNames: names }),
  }
}

/** Fields without which it would be a different server or would be allowed more. */
const needed: ReadonlySet<SpecFieldName> = new Set<SpecFieldName>([
  'enabled',
  'readOnly',
  'allow',
  'deny',
  'unsetEnv',
  'command',
  'args',
  'url',
])

/** Reports whether the same server without the field is allowed no more than with it. */
function isHarmless(
  specField: SpecFieldName,
  { inheritEnv, approvalDefault, approvalTools = {}, policy = {} }: SpecFields,
): boolean {
  if (specField === 'inheritEnv') return inheritEnv === 'all'
  if (specField === 'policy')
    return (policy['env.inherit'] ?? 'all') === 'all' && policy.elicitation === undefined
  if (specField === 'approvalDefault') return approvalDefault === 'allow'
  if (specField === 'approvalTools')
    return Object.values(approvalTools).every((approval) => approval === 'allow')
  return !needed.has(specField)
}
