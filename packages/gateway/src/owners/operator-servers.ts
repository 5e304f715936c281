import type { ServerSpec } from '@toolbridge/bridge/config'

/** The servers of the gateway's configuration file, which can be replaced while the gateway runs. */
export class OperatorServers {
  /** By identity: a saved server with the same name must not get the rights of the operator. */
  readonly #defined = new WeakSet<ServerSpec>()
  #current: readonly ServerSpec[] = []

  constructor(servers: readonly ServerSpec[]) {
    this.replace(servers)
  }

  get current(): readonly ServerSpec[] {
    return this.#current
  }

  /** Whether one of these has this name. */
  has(name: string): boolean {
    return this.#current.some((spec) => spec.name === name)
  }

  /** Whether the definition is or was one of these. */
  defines(spec: ServerSpec): boolean {
    return this.#defined.has(spec)
  }

  replace(servers: readonly ServerSpec[]): void {
    this.#current = servers
    for (const spec of servers) this.#defined.add(spec)
  }
}
