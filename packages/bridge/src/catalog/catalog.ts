import { type NamingPolicy, mayBeNameOf, namingPolicy, resolveNames } from '@toolbridge/client/internal'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import type { Emit } from '../journal/events/emit.ts'
import type { BridgeTool } from './bridge-tool.ts'
import { namingOf } from './naming.ts'
import {
  type CatalogEntry,
  firstNamed,
  isUnchanged,
  type ServerEntries,
  serverEntries,
  type ServerTools,
} from './server-entries.ts'
import { toolUri } from './tool-uri.ts'

export type { BridgeTool } from './bridge-tool.ts'

/**
 * Returns whether a server can have a tool of this public name or URI. May return true without such a tool, never false
 * with one, so that other servers need not be started to find it.
 */
export function mayHaveTool(
  { name, preset, policy }: Pick<ServerSpec, 'name' | 'preset' | 'policy'>,
  identity: string,
  choices: Partial<NamingPolicy> = {},
): boolean {
  return identity.startsWith('mcp://')
    ? identity.startsWith(toolUri(name, ''))
    : mayBeNameOf(name, identity, namingOf({ ...preset, ...policy }, choices))
}

/** Bounds the memory for servers that change their tools endlessly. */
const maxReported = 1_000

/** Tools by public name. Filtered tools are not in it and cannot be called. */
export class Catalog {
  /** One array for the lifetime of the catalog, sorted by name. */
  readonly tools: BridgeTool[] = []
  readonly #choices: Partial<NamingPolicy>
  readonly #servers = new Map<string, ServerEntries>()
  readonly #byName = new Map<string, BridgeTool>()
  /** Built on the first lookup by URI. */
  #byUri: ReadonlyMap<string, BridgeTool> | undefined
  readonly #reported = new Set<string>()
  readonly #emit: Emit
  /** Whether several tools would have the same name. */
  #hasCollisions = false
  #revision = 0

  /** `choices` take precedence over the definitions of servers. */
  constructor(emit: Emit, choices: Partial<NamingPolicy> = {}) {
    this.#emit = emit
    this.#choices = choices
    namingPolicy(choices)
  }

  /** Changes whenever the tools change. */
  get revision(): number {
    return this.#revision
  }

  /** Finds a tool by public name or URI. */
  find(identity: string): BridgeTool | undefined {
    if (!identity.startsWith('mcp://')) return this.#byName.get(identity)
    this.#byUri ??= new Map(this.tools.map((tool) => [tool.uri, tool]))
    return this.#byUri.get(identity)
  }

  /** Updates the tools in place. Servers with the same array as before cost nothing. */
  show(servers: readonly ServerTools[]): void {
    const names = new Set(servers.map(({ name }) => name))
    const changed = servers.filter((server) => !isUnchanged(this.#servers.get(server.name), server))
    const gone = [...this.#servers.keys()].filter((name) => !names.has(name))
    if (changed.length === 0 && gone.length === 0) return
    for (const name of gone) this.#servers.delete(name)
    const added = changed.flatMap((server) => this.#take(server))
    const left = new Set([...gone, ...changed.map(({ name }) => name)])
    if (this.#hasCollisions || !this.#showSome(left, added)) this.#showAll()
    this.#byUri = undefined
    this.#revision += 1
  }

  #take(server: ServerTools): readonly CatalogEntry[] {
    const known = serverEntries(server, namingOf(server.filter?.policy, this.#choices))
    this.#servers.set(server.name, known)
    this.#tellLeftOut(server.name, known)
    return known.entries
  }

  /** Updates only what changed. Returns false, without changes, if names collide. */
  #showSome(left: ReadonlySet<string>, added: readonly CatalogEntry[]): boolean {
    const staying: BridgeTool[] = []
    for (const tool of this.tools) {
      if (left.has(tool.server)) this.#unlist(tool)
      else staying.push(tool)
    }
    const arriving = added.map(({ tool }) => tool)
    for (const tool of arriving) {
      if (this.#byName.has(tool.name)) return false
      this.#list(tool)
    }
    this.#replace(merged(staying, arriving.toSorted(byName)))
    return true
  }

  #showAll(): void {
    const entries = [...this.#servers.values()].flatMap((server) => server.entries)
    const names = resolveNames(entries.map(firstNamed))
    const tools = names.flatMap(({ name, hasCollided }, index) => {
      const tool = entries[index]?.tool
      if (tool === undefined) return []
      if (hasCollided) this.#tellCollision(tool, name)
      if (name === undefined) return []
      return [name === tool.name ? tool : { ...tool, name }]
    })
    this.#hasCollisions = names.some(({ hasCollided }) => hasCollided)
    this.#byName.clear()
    for (const tool of tools) this.#list(tool)
    this.#replace(tools.toSorted(byName))
  }

  #list(tool: BridgeTool): void {
    this.#byName.set(tool.name, tool)
  }

  #unlist(tool: BridgeTool): void {
    this.#byName.delete(tool.name)
  }

  #replace(tools: readonly BridgeTool[]): void {
    this.tools.length = tools.length
    for (const [index, tool] of tools.entries()) this.tools[index] = tool
  }

  #tellLeftOut(server: string, { repeated, filteredCount, tools }: ServerEntries): void {
    for (const name of repeated)
      this.#tellOnce('tool_repeated', server, `lists the tool "${name}" twice; the first one is used`)
    if (filteredCount > 0) {
      const message = `${filteredCount} of its ${tools.length} tools ${filteredCount === 1 ? 'is' : 'are'} left out by the filters of its definition`
      this.#tellOnce('tools_filtered', server, message)
    }
  }

  #tellCollision({ server, rawName }: BridgeTool, name: string | undefined): void {
    const outcome = name === undefined ? 'it was left out; rename a server' : `it is ${name}`
    const message = `its tool "${rawName}" shares its name with another: ${outcome}`
    this.#tellOnce('tool_name_collision', server, message)
  }

  #tellOnce(code: string, server: string, message: string): void {
    const key = JSON.stringify([code, server, message])
    if (this.#reported.has(key) || this.#reported.size >= maxReported) return
    this.#reported.add(key)
    this.#emit({ type: 'diagnostic', code, server, message: `server "${server}": ${message}` })
  }
}

function byName(a: BridgeTool, b: BridgeTool): number {
  return a.name < b.name ? -1 : 1
}

/** Merges two sorted lists. */
function merged(a: readonly BridgeTool[], b: readonly BridgeTool[]): readonly BridgeTool[] {
  const both: BridgeTool[] = []
  let next = 0
  for (const tool of a) {
    for (let other = b[next]; other !== undefined && other.name < tool.name; other = b[next]) {
      both.push(other)
      next += 1
    }
    both.push(tool)
  }
  return both.concat(b.slice(next))
}
