import { isVisibleToModel } from '@toolbridge/client/internal'
import type { Emit } from '../journal/events/emit.ts'
import type { SchemaChecks } from './schema/schema-checks.ts'
import type { BridgeTool } from './bridge-tool.ts'
import type { Catalog } from './catalog.ts'
import { type LoweredTool, type Lowering, lowerTool, type QuarantinedTool } from './lowering/lower-tool.ts'
import type { ProfileName } from './profiles/profile.ts'
import { profiles } from './profiles/profiles.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { modelName } from './model-name.ts'

/** A tool lowered for a model provider. */
export interface ModelTool extends LoweredTool {
  /** The public name, or a similar one if the provider does not accept it. */
  readonly name: string
  readonly tool: BridgeTool
  /** Estimated number of tokens of the definition. */
  readonly tokens: number
}

/** The tools of a bridge for one provider. */
export interface ModelTools {
  /** The profile that they are lowered for. */
  readonly profile: ProfileName
  /** The usable tools, in the order of the bridge. */
  readonly tools: readonly ModelTool[]
  /** Tools that the provider would reject, which would fail every request. */
  readonly quarantined: readonly (QuarantinedTool & { readonly tool: BridgeTool })[]
  /** Finds a tool by its name for the provider. */
  find(name: string): ModelTool | undefined
}

const maxReported = 1_000

/** Lowers the tools of a catalog for providers, each tool once until it changes. */
export class ToolCompiler {
  readonly #catalog: Catalog
  readonly #emit: Emit
  readonly #checks: SchemaChecks
  readonly #compiled = new Map<ProfileName, { readonly revision: number; readonly tools: ModelTools }>()
  readonly #lowerings = new WeakMap<BridgeTool, Map<ProfileName, Lowering>>()
  readonly #reported = new Set<string>()

  constructor(catalog: Catalog, emit: Emit, checks: SchemaChecks) {
    this.#catalog = catalog
    this.#emit = emit
    this.#checks = checks
  }

  /** Lowers the current tools. */
  compile(profile: ProfileName): ModelTools {
    const { revision } = this.#catalog
    const known = this.#compiled.get(profile)
    if (known?.revision === revision) return known.tools
    const tools = this.#compileAll(profile)
    this.#compiled.set(profile, { revision, tools })
    return tools
  }

  /** Lowers one tool. */
  compileOne(tool: BridgeTool, profile: ProfileName): ModelTool | QuarantinedTool {
    const lowering = this.#lower(tool, profile)
    if (lowering.kind === 'lowered') return modelTool(tool, lowering.tool, profile)
    this.#tell(tool, profile, lowering.why)
    return lowering.why
  }

  #compileAll(profile: ProfileName): ModelTools {
    const tools: ModelTool[] = []
    const quarantined: (QuarantinedTool & { readonly tool: BridgeTool })[] = []
    for (const tool of this.#catalog.tools) {
      if (!isVisibleToModel(tool.definition)) continue
      const compiled = this.compileOne(tool, profile)
      if ('reason' in compiled) quarantined.push({ ...compiled, tool })
      else tools.push(compiled)
    }
    const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0)
    const { length: count } = tools
    this.#emit({ type: 'tools.compiled', profile, count, tokens, quarantined: quarantined.length })
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    return { profile, tools, quarantined, find: (name) => byName.get(name) }
  }

  #lower(tool: BridgeTool, profile: ProfileName): Lowering {
    const known = this.#lowerings.get(tool) ?? new Map<ProfileName, Lowering>()
    this.#lowerings.set(tool, known)
    const lowering = known.get(profile) ?? lowerTool(tool, profiles[profile], this.#checks)
    known.set(profile, lowering)
    return lowering
  }

  #tell({ name, server }: BridgeTool, profile: ProfileName, { code, reason }: QuarantinedTool): void {
    const key = JSON.stringify([profile, name, reason])
    if (this.#reported.has(key) || this.#reported.size >= maxReported) return
    this.#reported.add(key)
    const message = `server "${server}": the tool ${name} was left out for ${profile} (${code}): ${reason}`
    this.#emit({ type: 'diagnostic', code: 'tool_quarantined', server, message })
  }
}

function modelTool(tool: BridgeTool, lowered: LoweredTool, profile: ProfileName): ModelTool {
  const name = modelName(tool, profiles[profile])
  const said = `${name} ${lowered.description} ${JSON.stringify(lowered.parameters)}`
  return { ...lowered, name, tool, tokens: estimateTokens(said) }
}
