import { fieldsOf, itemsOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { SpecFields } from '../spec/spec-fields.ts'
import { quoted } from './entry-reader.ts'
import type { FieldRule } from './field-rule.ts'
import { readMap, readText } from './read-values.ts'
import { take } from './take-field.ts'
import { map, writeMap } from './values.ts'

/** An environment in which null unsets a variable; numbers and booleans are converted to strings. */
export const environmentWithNulls: FieldRule = {
  specFields: ['env', 'unsetEnv'],
  read: (field, entry) => {
    if (field.node.type !== 'object') return map('env').read(field, entry)
    const isNull = (child: { readonly children?: readonly { readonly type: string }[] }): boolean =>
      child.children?.[1]?.type === 'null'
    const children = (field.node.children ?? []).filter((child) => !isNull(child))
    const read = readMap({ ...field, node: { ...field.node, children } }, entry, 'env', 'scalars')
    const unset = fieldsOf(field).filter(({ node }) => node.type === 'null')
    if (read !== undefined) entry.specFields.env = read
    if (unset.length > 0) entry.specFields.unsetEnv = unset.map(({ key }) => key)
  },
  write: (specFields, writer): JsonValue | undefined => {
    const unset = (take(specFields, 'unsetEnv') ?? []).map((name) => [name, null] as const)
    const written = { ...writeMap(take(specFields, 'env'), 'env', writer), ...Object.fromEntries(unset) }
    return Object.keys(written).length === 0 ? undefined : written
  },
}

/** Names of inherited variables. An entry may name its source; variables of other machines are ignored. */
export const handedOnNames: FieldRule = {
  specFields: ['inheritNames'],
  isAlwaysWritten: true,
  outcome: 'translated',
  note: 'names of variables, or { name, source = "local" }',
  read: (field, entry) => {
    if (field.node.type !== 'array') return entry.invalid(field, quoted(field), 'an array of names')
    const names = itemsOf(field).flatMap((item) => {
      if (item.node.type !== 'object') return readText(item, entry, `every item of ${quoted(field)}`) ?? []
      const fields = new Map(fieldsOf(item).map((each) => [each.key, each]))
      const source = fields.get('source')
      if (source !== undefined && source.node.value !== 'local') {
        return (
          entry.drop(source, {
            code: 'field_dropped',
            message: 'a variable of another machine was ignored',
            fix: 'set it here, and remove "source"',
          }) ?? []
        )
      }
      const name = fields.get('name')
      return name === undefined
        ? (entry.invalid(item, 'a variable', 'a name') ?? [])
        : (readText(name, entry, '"name"') ?? [])
    })
    if (names.length > 0) entry.specFields.inheritNames = names
  },
  write: (specFields): JsonValue | undefined => {
    const names = [...(take(specFields, 'inheritNames') ?? []), ...takeSameNamed(specFields)]
    return names.length === 0 ? undefined : names
  },
}

/** A variable that refers to the variable of the same name is inherited. */
function takeSameNamed(specFields: SpecFields): readonly string[] {
  const entries = Object.entries(specFields.env ?? {})
  const handedOn = entries.filter(([name, value]) => value === `\${env:${name}}`)
  if (handedOn.length === 0) return []
  const rest = entries.filter(([name, value]) => value !== `\${env:${name}}`)
  if (rest.length === 0) take(specFields, 'env')
  else specFields.env = Object.fromEntries(rest)
  return handedOn.map(([name]) => name)
}
