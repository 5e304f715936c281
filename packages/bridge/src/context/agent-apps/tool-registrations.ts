import { specHash } from '../../config/spec/spec-hash.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { AgentAppsTool } from './agent-apps.ts'

/** The registered tools of one server. */
interface Registered {
  readonly hash: string
  readonly names: readonly string[]
}

/** The tools of servers in one registry, next to other tools. */
class ToolRegistration {
  readonly #registry: Map<string, AgentAppsTool>
  readonly #tell: (server: string, message: string) => void
  readonly #servers = new Map<string, Registered>()

  constructor(registry: Map<string, AgentAppsTool>, tell: (server: string, message: string) => void) {
    this.#registry = registry
    this.#tell = tell
  }

  /** Replaces the tools of a server. Returns the registered names; names in use are skipped. */
  replace(definition: ServerSpec, tools: readonly AgentAppsTool[]): readonly string[] {
    const { name: server } = definition
    const before = this.#servers.get(server)
    const hash = specHash(definition)
    if (before !== undefined && before.hash !== hash)
      this.#tell(
        server,
        `server "${server}" was redefined: all skills now use the tools of the new definition`,
      )
    for (const name of before?.names ?? []) this.#registry.delete(name)
    const names = tools.filter((tool) => this.#add(server, tool)).map(({ name }) => name)
    this.#servers.set(server, { hash, names })
    return names
  }

  /** Removes every tool that it added. */
  clear(): void {
    for (const { names } of this.#servers.values()) for (const name of names) this.#registry.delete(name)
    this.#servers.clear()
  }

  #add(server: string, tool: AgentAppsTool): boolean {
    const isFree = !this.#registry.has(tool.name)
    if (isFree) this.#registry.set(tool.name, tool)
    else
      this.#tell(server, `server "${server}": the tool ${tool.name} was skipped: the name is already in use`)
    return isFree
  }
}

/** The registrations by registry, held weakly. */
export class ToolRegistrations {
  readonly #byRegistry = new WeakMap<object, ToolRegistration>()
  readonly #all = new Set<WeakRef<ToolRegistration>>()
  readonly #tell: (server: string, message: string) => void

  constructor(tell: (server: string, message: string) => void) {
    this.#tell = tell
  }

  in(registry: Map<string, AgentAppsTool>): ToolRegistration {
    const known = this.#byRegistry.get(registry)
    if (known !== undefined) return known
    const registration = new ToolRegistration(registry, this.#tell)
    this.#byRegistry.set(registry, registration)
    for (const reference of this.#all) if (reference.deref() === undefined) this.#all.delete(reference)
    this.#all.add(new WeakRef(registration))
    return registration
  }

  clear(): void {
    for (const reference of this.#all) reference.deref()?.clear()
    this.#all.clear()
  }
}
