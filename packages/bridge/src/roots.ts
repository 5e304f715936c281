import type { Root } from '@toolbridge/client'

/** Roots for servers. Not an access control. */
export interface Roots {
  /** The current roots. */
  list(): readonly Root[]
  /** Calls back on change, until the returned function is called. */
  onChange(listener: () => void): () => void
}

/** Roots that can be replaced. */
export class SettableRoots implements Roots {
  readonly #listeners = new Set<() => void>()
  #roots: readonly Root[]

  constructor(roots: readonly Root[]) {
    this.#roots = checked(roots)
  }

  list(): readonly Root[] {
    return this.#roots
  }

  /** Notifies all listeners. Throws a `TypeError`, and changes nothing, if a URI is not a `file://` URL. */
  set(roots: readonly Root[]): void {
    this.#roots = checked(roots)
    for (const listener of this.#listeners) listener()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

function checked(roots: readonly Root[]): readonly Root[] {
  const foreign = roots.find(({ uri }) => !URL.canParse(uri) || new URL(uri).protocol !== 'file:')
  if (foreign !== undefined) throw new TypeError('a root is a file:// address; pathToFileURL makes one')
  return [...roots]
}
