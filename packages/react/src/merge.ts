import type { LocalSettings, McpServers } from './local-settings.ts'

/** Merged local and backend settings. */
export interface MergedSettings extends LocalSettings {
  /** Local changes that the backend's entry of the same name replaced. */
  readonly replaced: McpServers
}

/** Settings after a save. */
export interface SettingsAfterSave extends LocalSettings {
  readonly hasUnsavedChanges: boolean
}

/**
 * The backend wins for each server it has. Unsaved local servers stay; saved ones that the backend no longer has were removed
 * elsewhere and are removed. If the backend has no servers, the local settings stay.
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
 * Replaces what was `sent` by the backend's entries, whose secrets are references. Local changes made during the save stay
 * and are unsaved.
 */
export function mergeAfterSave(sent: McpServers, local: McpServers, backend: McpServers): SettingsAfterSave {
  const unsaved = changedNames(sent, local)
  const removed = Object.keys(sent).filter((name) => !Object.hasOwn(local, name))
  const kept = pick(backend, (name) => !removed.includes(name))
  const mcpServers = { ...kept, ...pick(local, (name) => unsaved.includes(name)) }
  return { mcpServers, unsaved, hasUnsavedChanges: unsaved.length + removed.length > 0 }
}

/** Returns the names whose entries are new or different in `after`. */
export function changedNames(before: McpServers, after: McpServers): readonly string[] {
  return Object.keys(after).filter((name) => !isSame(before[name], after[name]))
}

function pick(servers: McpServers, isWanted: (name: string) => boolean): McpServers {
  return Object.fromEntries(Object.entries(servers).filter(([name]) => isWanted(name)))
}

function isSame(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right)
}

/** Returns JSON that does not depend on the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  )
}
