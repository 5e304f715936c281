import { createHash } from 'node:crypto'
import { isVisibleToModel } from '@toolbridge/client'
import type { Emit } from '../journal/events/emit.ts'
import type { SchemaChecks } from './schema/schema-checks.ts'
import type { BridgeTool } from './bridge-tool.ts'
import type { Catalog } from './catalog.ts'
import { type LoweredTool, type Lowering, lowerTool, type QuarantinedTool } from './lowering/lower-tool.ts'
import type { ProfileName } from './profiles/profile.ts'
import { profiles } from './profiles/profiles.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** A tool as one provider's models see it. */
export interface ModelTool extends LoweredTool {
  /** The public name, or one like it where the provider does not take that one. */
  readonly name: string
  readonly tool: BridgeTool
  /** About how many tokens the model reads for it; an estimate, the same for every provider. */
  readonly tokens: number
}

export interface ModelTools {
  readonly profile: ProfileName
  /** What models may see, in the order of the bridge's tools. */
  readonly tools: readonly ModelTool[]
  /** What the provider would refuse, which would fail every request. */
  readonly quarantined: readonly (QuarantinedTool & { readonly tool: BridgeTool })[]
  /** Finds a tool by the name that the provider knows. */
  find(name: string): ModelTool | undefined
}

const maxTold = 1_000

/** Makes the tools of a catalog into those of a provider, each once for as long as it does not change. */
export class ToolCompiler {
  readonly #catalog: Catalog
  readonly #emit: Emit
  readonly #checks: SchemaChecks
  readonly #compiled = new Map<ProfileName, { readonly revision: number; readonly tools: ModelTools }>()
  readonly #lowerings = new WeakMap<BridgeTool, Map<ProfileName, Lowering>>()
  readonly #told = new Set<string>()

  constructor(catalog: Catalog, emit: Emit, checks: SchemaChecks) {
    this.#catalog = catalog
    this.#emit = emit
    this.#checks = checks
  }

  /** The tools as they are at this moment. */
  compile(profile: ProfileName): ModelTools {
    const { revision } = this.#catalog
    const known = this.#compiled.get(profile)
    if (known?.revision === revision) return known.tools
    const tools = this.#compileAll(profile)
    this.#compiled.set(profile, { revision, tools })
    return tools
  }

  /** One tool, without the others. */
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
    if (this.#told.has(key) || this.#told.size >= maxTold) return
    this.#told.add(key)
    const message = `server "${server}": its tool ${name} is not offered to models of ${profile} (${code}): ${reason}`
    this.#emit({ type: 'diagnostic', code: 'tool_quarantined', server, message })
  }
}

function modelTool(tool: BridgeTool, lowered: LoweredTool, profile: ProfileName): ModelTool {
  const name = nameFor(tool, profiles[profile].toolName)
  const said = `${name} ${lowered.description} ${JSON.stringify(lowered.parameters)}`
  return { ...lowered, name, tool, tokens: estimateTokens(said) }
}

/** The public name, or the usual one with a hash where the provider does not take that. */
function nameFor({ name, plainNames, uri }: BridgeTool, taken: RegExp): string {
  if (taken.test(name)) return name
  const hash = createHash('sha256').update(uri).digest('hex').slice(0, 8)
  const alias = `${(plainNames.at(-1) ?? '').slice(0, 50)}_${hash}`
  return taken.test(alias) ? alias : `t_${alias}`
}
