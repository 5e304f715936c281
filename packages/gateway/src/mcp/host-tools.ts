import type { Tool } from '@modelcontextprotocol/server'
import type { Bridge, BridgeTool, CallOptions, ModelToolsOptions, Origin } from '@toolbridge/bridge'
import { type ModelSurface, modelSurface, type SurfaceTool } from '@toolbridge/bridge/agent-tool'
import type { CallToolResult } from '@toolbridge/client'
import { callableTools } from '../owners/callable-tools.ts'
import type { CodeRuns } from './limited-code-runs.ts'
import type { ToolsMode } from './tools-mode.ts'

/** The tools that a host sees. */
interface HostTools {
  /** Without those that rules deny. */
  list(origin: Origin): Tool[]
  /** Rejects like `Bridge.call`. */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions & { readonly origin: Origin },
  ): Promise<CallToolResult>
}

interface HostToolsOptions {
  readonly toolsMode: ToolsMode
  readonly codeRuns: CodeRuns
}

/** Returns the tools of a bridge as a host gets them. */
export function hostTools(bridge: Bridge, { toolsMode, codeRuns }: HostToolsOptions): HostTools {
  if (toolsMode === 'all') return allTools(bridge)
  const replacement = toolsMode === 'code' ? { code: { runner: codeRuns } } : { search: {} }
  return replacedTools(bridge, replacement)
}

function allTools(bridge: Bridge): HostTools {
  return {
    list: (origin) => callableTools(bridge, origin).map(listedTool),
    call: (name, args, options) => bridge.call(name, args, options),
  }
}

/** Each request uses the tools that there are now. */
function replacedTools(bridge: Bridge, replacement: Pick<ModelToolsOptions, 'code' | 'search'>): HostTools {
  const surfaceFor = (options: CallOptions & { readonly origin: Origin }): ModelSurface => {
    const only = callableTools(bridge, options.origin).map(({ name }) => name)
    return modelSurface(bridge, 'generic', { ...options, ...replacement, only })
  }
  return {
    list: (origin) => surfaceFor({ origin }).tools.map(listedReplacement),
    call: async (name, args, options) => surfaceFor(options).call(name, args),
  }
}

/** Drops `execution`: the gateway does not run tools as tasks. */
function listedTool({ name, definition }: BridgeTool): Tool {
  const { execution: _execution, ...tool } = definition as Tool
  return { ...tool, name }
}

function listedReplacement({ name, description, parameters }: SurfaceTool): Tool {
  return { name, description, inputSchema: parameters as Tool['inputSchema'] }
}
