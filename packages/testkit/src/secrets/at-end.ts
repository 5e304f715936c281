const searches = new Set<() => Promise<void>>()

/** Registers a search that is repeated at the end of every test file of this process. */
export function lookAtEnd(search: () => Promise<void>): void {
  searches.add(search)
}

/** Runs all registered searches. */
export async function lookAtAllEnds(): Promise<void> {
  for (const search of searches) await search()
}
