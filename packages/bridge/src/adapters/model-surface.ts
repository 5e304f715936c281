import { type CallToolResult, type JsonSchema, McpError, McpErrorCode, type Tool } from '@toolbridge/client'
import { isVisibleToModel, linkedSignal } from '@toolbridge/client/internal'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { ProfileName } from '../catalog/profiles/profile.ts'
import type { ModelTool } from '../catalog/tool-compiler.ts'
import { ConfigError, DeniedError } from '../errors.ts'
import { errorResult } from '../results/checked-output.ts'
import type { CallPermission } from '../permission/permissions.ts'
import { callModelTool, permissionForModelTool } from './call-model-tool.ts'
import { metaTools, type MetaTool } from './meta-tools.ts'
import type { CodeMode } from './run-code-tool.ts'

/** Options for finding tools by search. */
export interface SearchDeferral {
  /** Number of tools above which they are found by search instead of listed. Default: 0. */
  readonly above?: number
  /** Maximum number of results of a search. Default: 5. */
  readonly limit?: number
}

/** Options for the tools of a model provider. */
export interface ModelToolsOptions extends Omit<CallOptions, 'approved'> {
  /** Public names of the tools to include. An unknown name throws a `RangeError`. Default: all. */
  readonly only?: readonly string[]
  /** Replaces the tools by `tool_search` and `call_tool`. Default: all tools are listed. */
  readonly search?: SearchDeferral
  /** Replaces the tools by `run_code`, which runs JavaScript that calls them. Takes precedence over `search`. */
  readonly code?: CodeMode
}

/** A tool in the form of a provider. */
export interface SurfaceTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly isStrict: boolean
  /** The definition of the server; undefined for a tool of the bridge itself. */
  readonly definition?: Tool
}

/** Options of one call, in addition to those of the surface. */
export interface RunOptions {
  readonly signal?: AbortSignal | null | undefined
  readonly onProgress?: CallOptions['onProgress'] | undefined
  readonly trace?: CallOptions['trace'] | undefined
  /** Whether a person has approved the call with these arguments. Default: false. */
  readonly approved?: boolean
}

/** The tools of a bridge for the models of one provider. */
export interface ModelSurface {
  readonly tools: readonly SurfaceTool[]
  /**
   * Calls a tool with the arguments of the model. Invalid arguments resolve with an error result; rejects like
   * `Bridge.call`.
   */
  call(name: string, args: unknown, run?: RunOptions): Promise<CallToolResult>
  /** Like `call`, but denials and failures resolve with an error result as well. */
  answer(name: string, args: unknown, run?: RunOptions): Promise<CallToolResult>
  /** What the permission rules say about a call; undefined if it would call no tool of a server. */
  permissionFor(name: string, args: unknown): Promise<CallPermission | undefined>
}

/** Creates the surface of the current tools of a bridge. */
export function modelSurface(
  bridge: Bridge,
  profile: ProfileName,
  options: ModelToolsOptions = {},
): ModelSurface {
  const { only, search, code, ...callOptions } = options
  const wanted = new Set(only === undefined ? bridge.tools : only.map((name) => existing(bridge, name)))
  const names = new Set([...wanted].map(({ name }) => name))
  const isDeferred = search !== undefined && countVisible(wanted) > (search.above ?? 0)
  const offered =
    isDeferred || code !== undefined ? new Map<string, ModelTool>() : compiledTools(bridge, profile, wanted)
  const own = metaTools({
    bridge,
    profile,
    options: callOptions,
    search: isDeferred ? search : undefined,
    code,
    mayCall: ({ name }) => only === undefined || names.has(name),
  })
  const call = caller(bridge, offered, own, callOptions)
  const ownTools = [...own.values()].filter(({ name }) => !offered.has(name))
  return {
    tools: [...[...offered.values()].map(listedTool), ...ownTools.map(listedMeta)],
    call,
    answer: (name, args, run) => answered(() => call(name, args, run)),
    permissionFor: async (name, args) => {
      const model = offered.get(name)
      const target = model === undefined ? own.get(name)?.targetOf?.(args) : { model, args }
      return target && permissionForModelTool(bridge, target, callOptions)
    },
  }
}

function caller(
  bridge: Bridge,
  offered: ReadonlyMap<string, ModelTool>,
  own: ReadonlyMap<string, MetaTool>,
  options: CallOptions,
): ModelSurface['call'] {
  return async (name, args, { signal, onProgress, trace, approved = false } = {}) => {
    using ended = linkedSignal(options.signal, signal ?? undefined)
    const run = {
      ...options,
      approved,
      signal: ended.signal,
      ...(onProgress && { onProgress }),
      ...(trace && { trace }),
    }
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
