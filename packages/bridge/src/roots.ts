import type { Root } from '@toolbridge/client'
import { parsedUrl } from '@toolbridge/client/internal'
import type { ServerSpec } from './config/spec/server-spec.ts'
import type { Emit } from './journal/events/emit.ts'

/** The roots that one server may know. Not an access control. */
export interface ServerRoots {
  /** The current roots. */
  list(): readonly Root[]
  /** Calls back when they differ from those before, until the returned function is called. */
  onChange(listener: () => void): () => void
}

/** Roots for servers. */
export interface Roots {
  /** The roots of a server that is connected for a principal. */
  of(spec: ServerSpec, principal: string): ServerRoots
}

/** Roots that can be replaced. */
export class SettableRoots {
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

export interface PermittedRootsOptions {
  readonly emit: Emit
  /** The rule that denies every call of the server that names this URI. */
  readonly ruleAgainst: (uri: string, spec: ServerSpec, principal: string) => string | undefined
}

/** Shows each server the roots that the permission rules let it use. */
export class PermittedRoots implements Roots {
  readonly #roots: SettableRoots
  readonly #options: PermittedRootsOptions
  /** Roots that were reported as withheld, by server. */
  readonly #reported = new Set<string>()

  constructor(roots: SettableRoots, options: PermittedRootsOptions) {
    this.#roots = roots
    this.#options = options
  }

  of(spec: ServerSpec, principal: string): ServerRoots {
    const list = (): readonly Root[] =>
      this.#roots.list().filter(({ uri }) => this.#isPermitted(uri, spec, principal))
    // From before the server connects: the roots may change meanwhile, and the server may have read them.
    let known = JSON.stringify(list())
    return {
      list,
      onChange: (listener) => {
        const compare = (): void => {
          const previous = known
          known = JSON.stringify(list())
          if (known !== previous) listener()
        }
        compare()
        return this.#roots.onChange(compare)
      },
    }
  }

  #isPermitted(uri: string, spec: ServerSpec, principal: string): boolean {
    const rule = this.#options.ruleAgainst(uri, spec, principal)
    if (rule !== undefined) this.#report(uri, spec.name, rule)
    return rule === undefined
  }

  #report(uri: string, server: string, rule: string): void {
    const key = JSON.stringify([server, uri])
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    const message = `server "${server}" is not told of the root ${uri}: rule deny ${rule}`
    this.#options.emit({ type: 'diagnostic', code: 'root_withheld', server, message })
  }
}

function checked(roots: readonly Root[]): readonly Root[] {
  const foreign = roots.find(({ uri }) => parsedUrl(uri)?.protocol !== 'file:')
  if (foreign !== undefined) throw new TypeError('a root is a file:// address; pathToFileURL makes one')
  return [...roots]
}
