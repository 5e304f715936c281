import type { Root } from '@toolbridge/client'

/** Where servers may work, as the host says: advice to them, not access control. */
export interface Roots {
  /** The folders and files, at this moment. */
  list(): readonly Root[]
  /** Calls back whenever they are other ones, until what it returns is called. */
  onChange(listener: () => void): () => void
}

/** Roots that a host sets. */
export class SettableRoots implements Roots {
  readonly #listeners = new Set<() => void>()
  #roots: readonly Root[]

  constructor(roots: readonly Root[]) {
    this.#roots = checked(roots)
  }

  list(): readonly Root[] {
    return this.#roots
  }

  /** Tells every server that asked. Throws a `TypeError` for what is no `file://` address, and changes nothing. */
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
