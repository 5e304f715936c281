import type { Tool } from '@toolbridge/client'
import type { Emit } from '../journal/emit.ts'
import { mayBeNameOf, nameTools } from './naming.ts'

/** A tool as callers see it. */
export interface BridgeTool {
  /** Public name, unique in its bridge: at most 64 characters of `[A-Za-z0-9_]`. Never taken apart again. */
  readonly name: string
  readonly server: string
  /** The server's own name for the tool. */
  readonly rawName: string
  /** Second identity, `mcp://server/tool`, which does not depend on how public names are made. */
  readonly uri: string
  readonly definition: Tool
}

export interface ServerTools {
  readonly name: string
  readonly tools: readonly Tool[]
}

/** The address of a tool. Both parts are percent-encoded, and so is `*`, which is special in permission rules. */
export function toolUri(server: string, tool: string): string {
  return `mcp://${encodePart(server)}/${encodePart(tool)}`
}

/**
 * Whether a server can have the tool of that public name or address. Never says no where the answer is yes, so that a
 * server which says no need not be started to find the tool.
 */
export function mayHaveTool(server: string, identity: string): boolean {
  return identity.startsWith('mcp://')
    ? identity.startsWith(toolUri(server, ''))
    : mayBeNameOf(server, identity)
}

/** A server that changes its tools for ever must not fill the memory with what was said about them. */
const maxTold = 1_000

/** The table from public names to tools. */
export class Catalog {
  /** One array for the life of the catalog, sorted by name. */
  readonly tools: BridgeTool[] = []
  readonly #byIdentity = new Map<string, BridgeTool>()
  readonly #told = new Set<string>()
  readonly #emit: Emit

  constructor(emit: Emit) {
    this.#emit = emit
  }

  /** Finds a tool by its public name or its address. */
  find(identity: string): BridgeTool | undefined {
    return this.#byIdentity.get(identity)
  }

  /** Makes these the tools, in place. */
  show(servers: readonly ServerTools[]): void {
    const listed = servers.flatMap((server) => this.#withoutRepeated(server))
    const names = nameTools(listed.map(({ server, tool }) => ({ server, tool: tool.name })))
    const tools = listed.flatMap(({ server, tool }, index) => {
      const named = names[index]
      if (named === undefined) return []
      if (named.hasCollided) this.#tellCollision(server, tool, named.name)
      return [bridgeTool(named.name, server, tool)]
    })
    this.#replace(tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  }

  #replace(tools: readonly BridgeTool[]): void {
    this.#byIdentity.clear()
    this.tools.length = 0
    for (const tool of tools) {
      this.tools.push(tool)
      this.#byIdentity.set(tool.name, tool)
      this.#byIdentity.set(tool.uri, tool)
    }
  }

  #withoutRepeated({
    name,
    tools,
  }: ServerTools): readonly { readonly server: string; readonly tool: Tool }[] {
    const seen = new Set<string>()
    return tools.flatMap((tool) => {
      const isNew = seen.size < seen.add(tool.name).size
      if (isNew) return [{ server: name, tool }]
      this.#tellOnce('tool_repeated', name, `lists the tool "${tool.name}" twice; the first one is used`)
      return []
    })
  }

  #tellCollision(server: string, tool: Tool, name: string): void {
    this.#tellOnce(
      'tool_name_collision',
      server,
      `its tool "${tool.name}" shares its name with another: it is ${name}`,
    )
  }

  #tellOnce(code: string, server: string, message: string): void {
    const key = JSON.stringify([code, server, message])
    if (this.#told.has(key) || this.#told.size >= maxTold) return
    this.#told.add(key)
    this.#emit({ type: 'diagnostic', code, server, message: `server "${server}": ${message}` })
  }
}

function bridgeTool(name: string, server: string, definition: Tool): BridgeTool {
  return { name, server, rawName: definition.name, uri: toolUri(server, definition.name), definition }
}

function encodePart(part: string): string {
  const wellFormed = part.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  return encodeURIComponent(wellFormed).replaceAll('*', '%2A')
}
