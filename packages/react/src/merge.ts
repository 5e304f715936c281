import type { LocalSettings, McpServers } from './local-settings.ts'

/** Local and backend settings as one. */
export interface MergedSettings extends LocalSettings {
  /** Local changes that lost against the backend's entry of the same name: shown, so that nothing is lost unseen. */
  readonly replaced: McpServers
}

/** Settings after a save. */
export interface SettingsAfterSave extends LocalSettings {
  readonly hasUnsavedChanges: boolean
}

/**
 * The backend wins for each server it has. Local servers it has never acknowledged stay; acknowledged ones that it no longer
 * has were removed elsewhere, and go. A backend without any server decides nothing: local settings stay as they are.
 */
export function mergeSettings(local: LocalSettings, backend: McpServers): MergedSettings {
  if (Object.keys(backend).length === 0) {
    return { mcpServers: local.mcpServers, unsaved: Object.keys(local.mcpServers), replaced: {} }
  }
  const pending = pick(local.mcpServers, (name) => local.unsaved.includes(name))
  const added = pick(pending, (name) => !Object.hasOwn(backend, name))
  const replaced = pick(
    pending,
    (name) => Object.hasOwn(backend, name) && !isSame(pending[name], backend[name]),
  )
  return { mcpServers: { ...backend, ...added }, unsaved: Object.keys(added), replaced }
}

/**
 * What was `sent` is the backend's now, with its secrets as references; what changed locally while it travelled stays, and
 * is unsaved.
 */
export function mergeAfterSave(sent: McpServers, local: McpServers, backend: McpServers): SettingsAfterSave {
  const unsaved = changedNames(sent, local)
  const removed = Object.keys(sent).filter((name) => !Object.hasOwn(local, name))
  const kept = pick(backend, (name) => !removed.includes(name))
  const mcpServers = { ...kept, ...pick(local, (name) => unsaved.includes(name)) }
  return { mcpServers, unsaved, hasUnsavedChanges: unsaved.length + removed.length > 0 }
}

/** The names whose entries are new or different in `after`. */
export function changedNames(before: McpServers, after: McpServers): readonly string[] {
  return Object.keys(after).filter((name) => !isSame(before[name], after[name]))
}

function pick(servers: McpServers, isWanted: (name: string) => boolean): McpServers {
  return Object.fromEntries(Object.entries(servers).filter(([name]) => isWanted(name)))
}

function isSame(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right)
}

/** JSON text that does not depend on the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  )
}
