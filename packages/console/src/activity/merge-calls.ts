import type { ActivityEntry } from '@toolbridge/api'

/** Adds calls to others, newest first, each once. Returns `known` itself if nothing is new. */
export function mergedCalls(
  known: readonly ActivityEntry[],
  more: readonly ActivityEntry[],
): readonly ActivityEntry[] {
  if (known.length === 0) return more
  const ids = new Set(known.map(({ id }) => id))
  const added = more.filter(({ id }) => !ids.has(id))
  if (added.length === 0) return known
  return [...known, ...added].toSorted(newestFirst)
}

function newestFirst(one: ActivityEntry, other: ActivityEntry): number {
  if (one.at === other.at) return 0
  return one.at < other.at ? 1 : -1
}

/** Where a call came from: the name of the host, or what else made it. */
export function sourceText({ host, conversation }: Pick<ActivityEntry, 'host' | 'conversation'>): string {
  if (host !== undefined) return host
  return conversation.startsWith('mcp:') ? 'MCP host' : conversation
}
