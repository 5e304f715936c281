import { type DocumentLocation, type Field, fieldsOf } from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { EntryReader } from '../fields/entry-reader.ts'
import { ownValue, take } from '../fields/take-field.ts'
import type { ToolApproval } from '../spec/server-spec.ts'
import type { SpecFields } from '../spec/spec-fields.ts'
import { isGlob, matchesGlob, strictness } from '../spec/tool-approval.ts'
import type { RootContext } from './dialect.ts'
import { descend } from './shapes.ts'

/** The prefix of a server's tools in opencode patterns. */
function prefixOf(server: string): string {
  return `${server.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_`
}

/** The remainders of a pattern after a prefix; none if it does not match. `?` matches one character. */
function afterPrefix(pattern: string, prefix: string): readonly string[] {
  let reached = new Set([0])
  for (const character of prefix) {
    const next = new Set<number>()
    for (const at of reached) {
      // Iterating a set includes elements added meanwhile; a star may also match nothing.
      if (pattern[at] === '*') {
        next.add(at)
        reached.add(at + 1)
      } else if (pattern[at] === character || pattern[at] === '?') next.add(at + 1)
    }
    reached = next
  }
  return [...new Set([...reached].map((at) => pattern.slice(at)))]
}

/**
 * Converts a pattern to globs over the tools of a server. `?` has no equivalent: a restricting pattern becomes wider, any
 * other is ignored.
 */
function globsOf(pattern: string, server: string, isRestricting: boolean): readonly string[] {
  return afterPrefix(pattern, prefixOf(server)).flatMap((rest) =>
    rest.includes('?') ? (isRestricting ? [rest.replaceAll(/[?*]+/g, '*')] : []) : [rest],
  )
}

/** Applies the rules of all agents and of the default agent. Rules of other agents are reported. */
export function applyToolRules(
  root: DocumentLocation,
  entries: readonly EntryReader[],
  { report }: RootContext,
): void {
  const agents = ['agent', 'mode'].flatMap((key) => fieldsAt(root, key))
  const chosen = descend(root, ['default_agent'])?.node.value ?? 'build'
  const own = agents.filter(({ key }) => key === chosen)
  applyToolSwitches(
    [root, ...own].flatMap((location) => descend(location, ['tools']) ?? []),
    entries,
  )
  for (const location of [root, ...own]) applyPermissions(location, entries)
  const others = agents.filter(({ key }) => key !== chosen)
  for (const rules of others.flatMap((agent) => ['tools', 'permission'].map((key) => descend(agent, [key]))))
    if (rules !== undefined) report(rules, rulesOfAnotherAgent)
}

function fieldsAt(root: DocumentLocation, key: string): readonly Field[] {
  const location = descend(root, [key])
  return location === undefined ? [] : fieldsOf(location)
}

const rulesOfAnotherAgent = {
  code: 'field_dropped',
  severity: 'warning',
  message: 'rules for tools of a single agent were ignored',
  fix: 'use permission rules for tools that must not be called',
} as const

/** `tools`: patterns over all tools with true or false; the last match applies. */
function applyToolSwitches(tools: readonly DocumentLocation[], entries: readonly EntryReader[]): void {
  if (tools.length === 0) return
  for (const entry of entries) {
    const allow = new Set<string>()
    const deny = new Set<string>()
    let isAllOff = false
    for (const { key, node } of tools.flatMap((each) => fieldsOf(each))) {
      for (const pattern of globsOf(key, entry.server, node.value === false)) {
        if (pattern === '*') {
          isAllOff = node.value === false
          allow.clear()
          deny.clear()
        } else if (node.value === false) deny.add(pattern)
        else if (isAllOff) allow.add(pattern)
        else deny.delete(pattern)
      }
    }
    if (isAllOff) entry.specFields.allow = [...allow]
    if (deny.size > 0) entry.specFields.deny = [...deny]
  }
}

const permissions: Readonly<Record<string, ToolApproval>> = { allow: 'allow', ask: 'ask', deny: 'deny' }

/** `permission`: one decision for all tools, or decisions by pattern; the last match applies. */
function applyPermissions(root: DocumentLocation, entries: readonly EntryReader[]): void {
  const rules = descend(root, ['permission'])
  if (rules === undefined) return
  const all = rules.node.type === 'object' ? fieldsOf(rules) : [{ ...rules, key: '*' }]
  for (const entry of entries) for (const rule of all) applyPermission(rule, entry)
}

function applyPermission(rule: Field, entry: EntryReader): void {
  const approval = typeof rule.node.value === 'string' ? ownValue(permissions, rule.node.value) : undefined
  const globs = globsOf(rule.key, entry.server, approval !== 'allow')
  if (globs.length === 0) return
  if (approval === undefined) {
    const what = rule.pointer === '/permission' ? '"permission"' : `"${rule.key}"`
    entry.invalidWord(rule, what, ['allow', 'ask', 'deny'])
    return
  }
  if (globs.includes('*')) {
    entry.specFields.approvalDefault = approval
    delete entry.specFields.approvalTools
    return
  }
  const before = Object.entries(entry.specFields.approvalTools ?? {})
  const kept = before.filter(([tool]) => isGlob(tool) || !globs.some((glob) => matchesGlob(glob, tool)))
  entry.specFields.approvalTools = Object.fromEntries([
    ...kept,
    ...globs.map((glob) => [glob, approval] as const),
  ])
}

/** Removes the tool settings of a server and returns them as opencode patterns. */
export function takeToolRules(
  server: string,
  specFields: SpecFields,
): Readonly<Record<string, Readonly<Record<string, JsonValue>>>> {
  const prefix = prefixOf(server)
  const allow = take(specFields, 'allow')
  const off = (take(specFields, 'deny') ?? []).map((tool) => [`${prefix}${tool}`, false] as const)
  const on = (allow ?? []).map((tool) => [`${prefix}${tool}`, true] as const)
  const tools = [...(allow === undefined ? [] : [[`${prefix}*`, false] as const]), ...on, ...off]
  return { tools: Object.fromEntries(tools), permission: takePermissions(prefix, specFields) }
}

function takePermissions(prefix: string, specFields: SpecFields): Readonly<Record<string, JsonValue>> {
  // Names after globs, and stricter after less strict: the last match applies.
  const words = Object.entries(specFields.approvalTools ?? {}).toSorted(
    ([a, one], [b, other]) => Number(isGlob(b)) - Number(isGlob(a)) || strictness[one] - strictness[other],
  )
  const hasWords = [specFields.approvalDefault, ...words.map(([, word]) => word)].every(
    (word) => word !== 'writes',
  )
  if (!hasWords) return {}
  const general = take(specFields, 'approvalDefault')
  delete specFields.approvalTools
  return Object.fromEntries([
    ...(general === undefined ? [] : [[`${prefix}*`, general] as const]),
    ...words.map(([tool, word]) => [`${prefix}${tool}`, word] as const),
  ])
}
