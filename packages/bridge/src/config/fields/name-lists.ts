import { isGlob } from '../spec/tool-approval.ts'
import { quoted } from './entry-reader.ts'
import type { FieldRule } from './field-rule.ts'
import { readTexts } from './read-values.ts'
import { take } from './take-field.ts'

type NamesSlot = 'allow' | 'deny' | 'inheritNames' | 'unsetEnv'

/** Names of tools or variables, without variable replacement. */
export function names(specField: NamesSlot): FieldRule {
  return {
    specFields: [specField],
    read: (field, entry) => {
      const items = readTexts(field, entry, quoted(field))
      if (items !== undefined) entry.specFields[specField] = items.map(({ value }) => value)
    },
    write: (specFields) => take(specFields, specField),
  }
}

/**
 * Tool names of a host without globs. A name that looks like a glob matches no tool there, so it allows nothing here;
 * globs of a spec cannot be written.
 */
export function exactNames(specField: 'allow' | 'deny'): FieldRule {
  return {
    ...names(specField),
    read: (field, entry) => {
      names(specField).read(field, entry)
      const items = entry.specFields[specField] ?? []
      if (specField === 'deny' || !items.some(isGlob)) return
      entry.specFields[specField] = items.filter((item) => !isGlob(item))
      entry.translate(field, {
        code: 'pattern_unknown',
        message: `${quoted(field)} has a pattern, which matches no tool when ${entry.dialectTitle} reads it`,
        fix: 'name the tools, or remove the field to allow all of them',
      })
    },
    write: (specFields, writer) => {
      const items = take(specFields, specField)
      if (items?.some(isGlob) !== true) return items
      writer.reportUnwritable(specField, 'the dialect supports tool names only, not patterns')
      return undefined
    },
  }
}
