import {
  type CallToolResult,
  isVisibleToModel,
  type JsonSchema,
  McpError,
  McpErrorCode,
  type Tool,
} from '@toolbridge/client'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { ProfileName } from '../catalog/profiles/profile.ts'
import type { ModelTool } from '../catalog/tool-compiler.ts'
import { ConfigError, DeniedError } from '../errors.ts'
import { linkedSignal } from '@toolbridge/client/internal'
import { errorResult } from '../results/checked-output.ts'
import { callModelTool } from './call-model-tool.ts'
import { metaTools, type MetaTool } from './meta-tools.ts'

export interface SearchDeferral {
  /** Number of tools above which they are found by search instead of being listed: 0 unless told. */
  readonly above?: number
  /** How many tools a search returns at most: 5 unless told. */
  readonly limit?: number
}

export interface ModelToolsOptions extends CallOptions {
  /** Public names of the tools to offer; all of them unless told. Throws a `RangeError` for a name that is not there. */
  readonly only?: readonly string[]
  /** Puts the tools behind two, `tool_search` and `call_tool`; they are all listed unless told. */
  readonly search?: SearchDeferral
}

/** A tool in the form that a provider takes. */
export interface SurfaceTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly isStrict: boolean
  /** What the server said of the tool; undefined for a tool of the bridge's own. */
  readonly definition?: Tool
}

/** What one call adds to the options of all. */
export interface RunOptions {
  readonly signal?: AbortSignal | null | undefined
  readonly onProgress?: CallOptions['onProgress'] | undefined
}

/** The tools of a bridge as one provider's models see and call them. */
export interface ModelSurface {
  readonly tools: readonly SurfaceTool[]
  /**
   * Calls a tool with what the model said. Arguments that do not fit are a result with an error; rejects as
   * `Bridge.call` does.
   */
  call(name: string, args: unknown, run?: RunOptions): Promise<CallToolResult>
  /** The same for a model that must have an answer: refusals and failures are results with an error. */
  answer(name: string, args: unknown, run?: RunOptions): Promise<CallToolResult>
}

/** Offers the tools of a bridge as they are at this moment. */
export function modelSurface(
  bridge: Bridge,
  profile: ProfileName,
  options: ModelToolsOptions = {},
): ModelSurface {
  const { only, search, ...callOptions } = options
  const wanted = new Set(only === undefined ? bridge.tools : only.map((name) => existing(bridge, name)))
  const isDeferred = search !== undefined && countVisible(wanted) > (search.above ?? 0)
  const offered = isDeferred ? new Map<string, ModelTool>() : compiledTools(bridge, profile, wanted)
  const own = metaTools({
    bridge,
    profile,
    options: callOptions,
    search: isDeferred ? search : undefined,
    mayCall: (tool) => only === undefined || only.some((name) => bridge.tool(name) === tool),
  })
  const call = caller(bridge, offered, own, callOptions)
  const ownTools = [...own.values()].filter(({ name }) => !offered.has(name))
  return {
    tools: [...[...offered.values()].map(listedTool), ...ownTools.map(listedMeta)],
    call,
    answer: (name, args, run) => answered(() => call(name, args, run)),
  }
}

function caller(
  bridge: Bridge,
  offered: ReadonlyMap<string, ModelTool>,
  own: ReadonlyMap<string, MetaTool>,
  options: CallOptions,
): ModelSurface['call'] {
  return async (name, args, { signal, onProgress } = {}) => {
    using ended = linkedSignal(options.signal, signal ?? undefined)
    const run = { ...options, signal: ended.signal, ...(onProgress && { onProgress }) }
    const tool = offered.get(name)
    if (tool !== undefined) return await callModelTool(bridge, tool, args, run)
    const meta = own.get(name)
    if (meta === undefined) throw unknownTool(name)
    return await meta.call(args, run)
  }
}

function countVisible(tools: ReadonlySet<BridgeTool>): number {
  return [...tools].filter(({ definition }) => isVisibleToModel(definition)).length
}

function compiledTools(
  bridge: Bridge,
  profile: ProfileName,
  wanted: ReadonlySet<BridgeTool>,
): ReadonlyMap<string, ModelTool> {
  const { tools } = bridge.toolsFor(profile)
  return new Map(tools.filter(({ tool }) => wanted.has(tool)).map((tool) => [tool.name, tool]))
}

function existing(bridge: Bridge, name: string): BridgeTool {
  const tool = bridge.tool(name)
  if (tool === undefined) throw new RangeError(`there is no tool "${name}"`)
  return tool
}

function listedTool({ name, description, parameters, isStrict, tool }: ModelTool): SurfaceTool {
  return { name, description, parameters, isStrict, definition: tool.definition }
}

function listedMeta({ name, description, parameters }: MetaTool): SurfaceTool {
  return { name, description, parameters, isStrict: false }
}

function unknownTool(name: string): McpError {
  const message = `there is no tool "${name}"`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}

async function answered(call: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof McpError || error instanceof DeniedError || error instanceof ConfigError)
      return errorResult(error.message)
    throw error
  }
}
