/** A storage that ends with the tab. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Keeps a value for a person until the tab closes. A full storage keeps the previous one. */
export function keepInTab(storage: TabStorage, key: string, person: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify({ person, value }))
  } catch {
    // The value is still on the page.
  }
}

/** Returns what was kept for this person in this tab, and removes what was kept for anyone else. */
export function keptInTab(storage: TabStorage, key: string, person: string): unknown {
  const kept = parsed(storage.getItem(key))
  if (kept?.person === person) return kept.value
  storage.removeItem(key)
  return undefined
}

/** Another version of the page may have written another shape. */
function parsed(text: string | null): { readonly person: unknown; readonly value: unknown } | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    return typeof kept === 'object' && kept !== null && 'person' in kept && 'value' in kept ? kept : undefined
  } catch {
    return undefined
  }
}
