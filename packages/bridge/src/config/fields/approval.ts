import { type Field, fieldOf, fieldsOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { ToolApproval } from '../spec/server-spec.ts'
import { isGlob, strictness } from '../spec/tool-approval.ts'
import { type EntryReader, quoted } from './entry-reader.ts'
import type { FieldRule } from './field-rule.ts'
import { readTexts } from './read-values.ts'
import { ownValue, take } from './take-field.ts'

/** Tools that are called without asking. */
export const allowedUnasked: FieldRule = {
  specFields: ['approvalTools'],
  outcome: 'translated',
  note: 'approval "allow" for each tool',
  read: (field, entry) => {
    const tools = (readTexts(field, entry, quoted(field)) ?? []).map(({ value }) => value)
    if (tools.some(isGlob))
      entry.drop(field, {
        code: 'pattern_unknown',
        message: `${quoted(field)} has a pattern, which was ignored: calls still ask`,
        fix: 'name the tools',
      })
    approve(
      entry,
      tools.map((tool) => [tool, 'allow'] as const),
    )
  },
  write: (specFields): JsonValue | undefined => {
    const names = Object.keys(specFields.approvalTools ?? {})
    const isAllAllowed = names.every((name) => specFields.approvalTools?.[name] === 'allow' && !isGlob(name))
    return isAllAllowed && names.length > 0 && take(specFields, 'approvalTools') ? names : undefined
  },
}

/** A flag that allows every call without asking. */
export const trustAll: FieldRule = {
  specFields: ['approvalDefault'],
  outcome: 'translated',
  note: 'approval "allow" for all tools',
  read: (field, entry) => {
    const { value } = field.node
    if (typeof value !== 'boolean') return entry.invalid(field, quoted(field), 'true or false')
    if (value) entry.specFields.approvalDefault = 'allow'
  },
  write: (specFields) =>
    specFields.approvalDefault === 'allow' && take(specFields, 'approvalDefault') ? true : undefined,
}

/** `tools.<name>.<key>`: approval per tool. */
export function approvalPerTool(key: string, words: Readonly<Record<string, ToolApproval>>): FieldRule {
  return {
    specFields: ['approvalTools'],
    outcome: 'translated',
    note: `\`${key}\` of each tool`,
    read: (field, entry) => {
      if (field.node.type !== 'object')
        return entry.invalid(field, quoted(field), 'an object with one property per tool')
      approve(
        entry,
        fieldsOf(field).flatMap((tool) => {
          const approval = readApproval(tool, entry, key, words)
          return approval === undefined ? [] : [[tool.key, approval] as const]
        }),
      )
    },
    write: (specFields, writer): JsonValue | undefined => {
      const entries = Object.entries(take(specFields, 'approvalTools') ?? {}).flatMap(([tool, approval]) => {
        const word = Object.keys(words).find((each) => words[each] === approval)
        if (word !== undefined && !isGlob(tool)) return [[tool, { [key]: word }] as const]
        writer.reportUnwritable(
          'approvalTools',
          word === undefined
            ? `there is no equivalent for "${approval}"`
            : 'the dialect supports tool names only, not patterns',
        )
        return []
      })
      return entries.length === 0 ? undefined : Object.fromEntries(entries)
    },
  }
}

function readApproval(
  tool: Field,
  entry: EntryReader,
  key: string,
  words: Readonly<Record<string, ToolApproval>>,
): ToolApproval | undefined {
  const field = fieldOf(tool, key)
  const unknown = fieldsOf(tool).find((each) => each.key !== key)
  if (unknown !== undefined || field === undefined) {
    return entry.refuse(unknown ?? tool, {
      code: 'field_restricts',
      message: `the settings of the tool "${tool.key}" are unknown`,
      found: 'an unknown field',
      expected: `"${key}"`,
      fix: `set only "${key}" for a tool`,
    })
  }
  const approval = typeof field.node.value === 'string' ? ownValue(words, field.node.value) : undefined
  return approval ?? entry.invalidWord(field, quoted(field), Object.keys(words))
}

/**
 * Adds approvals from a host without globs: `allow` for a name that is a glob here is left out. Of two approvals the
 * stricter applies.
 */
export function approve(entry: EntryReader, tools: readonly (readonly [string, ToolApproval])[]): void {
  const known = new Map(Object.entries(entry.specFields.approvalTools ?? {}))
  for (const [tool, approval] of tools) {
    if (approval === 'allow' && isGlob(tool)) continue
    const before = known.get(tool)
    if (before === undefined || strictness[approval] > strictness[before]) known.set(tool, approval)
  }
  if (known.size > 0) entry.specFields.approvalTools = Object.fromEntries(known)
}

/** Canonical names of approvals. */
export const approvalWords: Readonly<Record<string, ToolApproval>> = {
  allow: 'allow',
  ask: 'ask',
  writes: 'writes',
  deny: 'deny',
}

/** A map from tool name or glob to an approval. */
export const approvals: FieldRule = {
  specFields: ['approvalTools'],
  read: (field, entry) => {
    if (field.node.type !== 'object')
      return entry.invalid(field, quoted(field), 'an object with one approval per tool')
    const tools = fieldsOf(field).flatMap((tool) => {
      const approval =
        typeof tool.node.value === 'string' ? ownValue(approvalWords, tool.node.value) : undefined
      if (approval !== undefined) return [[tool.key, approval] as const]
      return entry.invalidWord(tool, quoted(tool), Object.keys(approvalWords)) ?? []
    })
    if (tools.length > 0) entry.specFields.approvalTools = Object.fromEntries(tools)
  },
  write: (specFields) => take(specFields, 'approvalTools'),
}
