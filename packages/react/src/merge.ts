import type { ConfigResponse } from '@toolbridge/api'
import type { LocalSettings, McpServers } from './local-settings.ts'

/**
 * Merges what the backend has into the local settings. At the version that the local settings are based on, unsaved changes
 * stay. At any other version, the backend wins for each server it has. Unsaved additions and removals always stay; saved
 * servers that the backend no longer has were removed elsewhere and are removed. A backend without servers changes nothing.
 */
export function mergeSettings(
  local: LocalSettings,
  { mcpServers: backend, version = 0 }: ConfigResponse,
): LocalSettings {
  if (Object.keys(backend).length === 0) {
    return { ...local, version, unsaved: Object.keys(local.mcpServers), removed: [] }
  }
  const differing = pick(
    local.mcpServers,
    (name, entry) => local.unsaved.includes(name) && !isSame(entry, backend[name]),
  )
  const isKept = (name: string): boolean => version === local.version || !Object.hasOwn(backend, name)
  const kept = pick(differing, isKept)
  const removed = local.removed.filter((name) => Object.hasOwn(backend, name))
  return {
    mcpServers: { ...omit(backend, removed), ...kept },
    unsaved: Object.keys(kept),
    removed,
    version,
    replaced: { ...local.replaced, ...omit(differing, Object.keys(kept)) },
  }
}

/** Returns the settings without their base, so that the backend wins for each server it has. */
export function yieldToBackend(local: LocalSettings): LocalSettings {
  return { ...local, version: -1, removed: [] }
}

/**
 * Returns the settings after `sent` was saved as `version`: changes since then are unsaved. Nothing changes if another tab
 * has stored a later version.
 */
export function markSaved(sent: LocalSettings, local: LocalSettings, version: number): LocalSettings {
  if (local.version !== sent.version && local.version > version) return local
  const unsaved = changedNames(sent.mcpServers, local.mcpServers)
  return {
    ...local,
    unsaved,
    removed: missingNames(sent.mcpServers, local.mcpServers),
    version,
    replaced: {},
  }
}

/**
 * Applies an edit that turned `before` into `after` to settings that may have changed since `before`. Only servers that the edit
 * touched are changed; those that another tab had changed as well are in `replaced`.
 */
export function applyEdit(local: LocalSettings, before: McpServers, after: McpServers): LocalSettings {
  const changed = changedNames(before, after)
  const gone = missingNames(before, after)
  const touched = new Set([...changed, ...gone])
  return {
    mcpServers: { ...omit(local.mcpServers, gone), ...pick(after, (name) => changed.includes(name)) },
    unsaved: [...local.unsaved.filter((name) => !touched.has(name)), ...changed],
    removed: [...local.removed.filter((name) => !touched.has(name)), ...gone],
    version: local.version,
    replaced: pick(
      local.mcpServers,
      (name, entry) => touched.has(name) && !isSame(entry, before[name]) && !isSame(entry, after[name]),
    ),
  }
}

/** Returns whether anything is left to save. */
export function isUnsaved({ unsaved, removed }: LocalSettings): boolean {
  return unsaved.length + removed.length > 0
}

/** Returns the names whose entries are new or different in `after`. */
function changedNames(before: McpServers, after: McpServers): readonly string[] {
  return Object.keys(after).filter((name) => !isSame(before[name], after[name]))
}

function missingNames(before: McpServers, after: McpServers): readonly string[] {
  return Object.keys(before).filter((name) => !Object.hasOwn(after, name))
}

function pick(
  servers: McpServers,
  isWanted: (name: string, entry: McpServers[string]) => boolean,
): McpServers {
  return Object.fromEntries(Object.entries(servers).filter(([name, entry]) => isWanted(name, entry)))
}

function omit(servers: McpServers, names: readonly string[]): McpServers {
  return pick(servers, (name) => !names.includes(name))
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
