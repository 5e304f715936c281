import type { NamingPolicy } from '@toolbridge/client/internal'
import { type Policy, setPolicies } from '../config/spec/policy.ts'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import type { Emit } from '../journal/events/emit.ts'
import type { SchemaChecks } from './schema/schema-checks.ts'
import type { BridgeTool } from './bridge-tool.ts'
import { Catalog, mayHaveTool } from './catalog.ts'
import { namingOf } from './naming.ts'
import type { QuarantinedTool } from './lowering/lower-tool.ts'
import type { ProfileName } from './profiles/profile.ts'
import type { ToolMatches } from './search/tool-index.ts'
import { type SearchToolsOptions, ToolSearch } from './search/tool-search.ts'
import type { ServerTools } from './server-entries.ts'
import { type ModelTool, type ModelTools, ToolCompiler } from './tool-compiler.ts'

export interface ToolTableOptions {
  readonly emit: Emit
  /** Takes precedence over the policies of the bridge and of definitions. */
  readonly naming: Partial<NamingPolicy>
  /** Policies of the bridge. */
  readonly policy: Partial<Policy>
  readonly checks: SchemaChecks
  /** Returns the current tools of the servers. */
  readonly read: () => readonly ServerTools[]
}

/** Maximum staleness of the array of tools for holders that do not call `tools` again. */
const minDelayMs = 25
const maxDelayMs = 200

/**
 * The tools of all servers, in every requested form. Changes of many servers are batched: a lookup sees the newest tools
 * at once, and the array is updated soon after, using at most a ninth of the time.
 */
export class ToolTable {
  readonly #options: ToolTableOptions
  readonly #catalog: Catalog
  readonly #search: ToolSearch
  readonly #compiler: ToolCompiler
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStale = false
  #lastMs = 0

  constructor(options: ToolTableOptions) {
    const { emit, naming, policy, checks } = options
    // Throws if it is invalid.
    namingOf(policy, naming)
    this.#options = options
    this.#catalog = new Catalog(emit, naming)
    this.#search = new ToolSearch(this.#catalog)
    this.#compiler = new ToolCompiler(this.#catalog, emit, checks)
  }

  /** One stable array, sorted by name. */
  get tools(): readonly BridgeTool[] {
    return this.#current().tools
  }

  /** Finds a tool by public name or URI. */
  find(identity: string): BridgeTool | undefined {
    return this.#current().find(identity)
  }

  /** Returns whether a server can have a tool of this public name or URI. */
  mayHave(server: ServerSpec, identity: string): boolean {
    const { policy, naming } = this.#options
    return mayHaveTool({ name: server.name, policy: setPolicies(server, policy) }, identity, naming)
  }

  search(query: string, options?: SearchToolsOptions): ToolMatches {
    this.#current()
    return this.#search.search(query, options)
  }

  compile(profile: ProfileName): ModelTools {
    this.#current()
    return this.#compiler.compile(profile)
  }

  compileOne(tool: BridgeTool, profile: ProfileName): ModelTool | QuarantinedTool {
    return this.#compiler.compileOne(tool, profile)
  }

  /** Call after the tools of a server may have changed. */
  changed(): void {
    this.#isStale = true
    if (this.#timer !== undefined) return
    const delayMs = Math.max(minDelayMs, Math.min(this.#lastMs * 8, maxDelayMs))
    this.#timer = setTimeout(() => this.#current(), delayMs)
    this.#timer.unref()
  }

  #current(): Catalog {
    if (!this.#isStale) return this.#catalog
    this.#isStale = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    const startedAt = performance.now()
    this.#catalog.show(this.#options.read())
    this.#lastMs = performance.now() - startedAt
    return this.#catalog
  }
}
