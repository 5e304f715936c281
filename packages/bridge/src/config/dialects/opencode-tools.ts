import { fieldsOf, type Place } from '../document.ts'
import { approve } from '../fields/approval.ts'
import type { EntryReader } from '../fields/entry-reader.ts'
import type { Plain } from '../fields/rule.ts'
import { ownValue, take } from '../fields/take.ts'
import type { Slots } from '../slots.ts'
import type { ToolApproval } from '../spec.ts'
import { descend } from './shapes.ts'

/** What stands before a tool's own name in the patterns of opencode. */
function prefixOf(server: string): string {
  return `${server.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_`
}

/** What is left of a pattern for the part after a prefix: none when it does not match it. */
export function afterPrefix(pattern: string, prefix: string): readonly string[] {
  if (prefix === '') return [pattern]
  if (pattern === '') return []
  if (pattern.startsWith('*')) {
    return [...new Set([...afterPrefix(pattern.slice(1), prefix), ...afterPrefix(pattern, prefix.slice(1))])]
  }
  return pattern[0] === prefix[0] ? afterPrefix(pattern.slice(1), prefix.slice(1)) : []
}

/** `tools`: patterns over all tools that are on or off; a later one goes before an earlier one. */
export function applyToolSwitches(root: Place, entries: readonly EntryReader[]): void {
  const tools = descend(root, ['tools'])
  if (tools === undefined) return
  for (const entry of entries) {
    const allow = new Set<string>()
    const deny = new Set<string>()
    let isAllOff = false
    for (const { key, node } of fieldsOf(tools)) {
      for (const pattern of afterPrefix(key, prefixOf(entry.server))) {
        if (pattern === '*') {
          isAllOff = node.value === false
          allow.clear()
          deny.clear()
        } else if (node.value === false) deny.add(pattern)
        else if (isAllOff) allow.add(pattern)
        else deny.delete(pattern)
      }
    }
    if (isAllOff) entry.slots.allow = [...allow]
    if (deny.size > 0) entry.slots.deny = [...deny]
  }
}

const permissions: Readonly<Record<string, ToolApproval>> = { allow: 'allow', ask: 'ask', deny: 'deny' }

/** `permission`: patterns over all tools with a word each. */
export function applyPermissions(root: Place, entries: readonly EntryReader[]): void {
  const rules = descend(root, ['permission'])
  if (rules === undefined) return
  for (const entry of entries) {
    for (const rule of fieldsOf(rules)) {
      const approval =
        typeof rule.node.value === 'string' ? ownValue(permissions, rule.node.value) : undefined
      const patterns = afterPrefix(rule.key, prefixOf(entry.server))
      if (patterns.length === 0) continue
      if (approval === undefined) entry.invalidWord(rule, `"${rule.key}"`, ['allow', 'ask', 'deny'])
      else if (patterns.includes('*')) entry.slots.approvalDefault = approval
      else
        approve(
          entry,
          patterns.map((pattern) => [pattern, approval] as const),
        )
    }
  }
}

/** The patterns that say what the slots of a server say. */
export function takeToolRules(
  server: string,
  slots: Slots,
): Readonly<Record<string, Readonly<Record<string, Plain>>>> {
  const prefix = prefixOf(server)
  const allow = take(slots, 'allow')
  const off = (take(slots, 'deny') ?? []).map((tool) => [`${prefix}${tool}`, false] as const)
  const on = (allow ?? []).map((tool) => [`${prefix}${tool}`, true] as const)
  const tools = [...(allow === undefined ? [] : [[`${prefix}*`, false] as const]), ...on, ...off]
  return { tools: Object.fromEntries(tools), permission: takePermissions(prefix, slots) }
}

function takePermissions(prefix: string, slots: Slots): Readonly<Record<string, Plain>> {
  const words = Object.entries(slots.approvalTools ?? {})
  const hasWords = [slots.approvalDefault, ...words.map(([, word]) => word)].every(
    (word) => word !== 'writes',
  )
  if (!hasWords) return {}
  const general = take(slots, 'approvalDefault')
  delete slots.approvalTools
  return Object.fromEntries([
    ...(general === undefined ? [] : [[`${prefix}*`, general] as const]),
    ...words.map(([tool, word]) => [`${prefix}${tool}`, word] as const),
  ])
}
