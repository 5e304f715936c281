import { type CallToolResult, type JsonSchema } from '@toolbridge/client'
import { isJsonObject, isVisibleToModel, type JsonObject } from '@toolbridge/client/internal'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { ProfileName } from '../catalog/profiles/profile.ts'
import { errorResult } from '../results/checked-output.ts'
import { callModelTool, type ModelCall } from './call-model-tool.ts'
import { type CodeMode, runCodeTool } from './run-code-tool.ts'

/** A tool of the bridge itself. */
export interface MetaTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  call(args: unknown, options: CallOptions): Promise<CallToolResult>
  /** The tool of a server that a call with these arguments would call, if any. */
  targetOf?(args: unknown): ModelCall | undefined
}

export interface MetaToolParts {
  readonly bridge: Bridge
  readonly profile: ProfileName
  readonly options: CallOptions
  /** Undefined if the tools are listed. */
  readonly search: { readonly limit?: number } | undefined
  /** Undefined if the tools are not called from code. */
  readonly code: CodeMode | undefined
  /** Returns whether the surface includes the tool. */
  readonly mayCall: (tool: BridgeTool) => boolean
}

/** The tools of the bridge itself that a surface needs, by name. */
export function metaTools(parts: MetaToolParts): ReadonlyMap<string, MetaTool> {
  const tools = insteadOf(parts)
  const { maxCharacters, maxMediaCharacters } = parts.bridge.results.policy
  const keepsResults = Number.isFinite(maxCharacters) || Number.isFinite(maxMediaCharacters)
  const own = keepsResults ? [...tools, readResult(parts)] : tools
  return new Map(own.map((tool) => [tool.name, tool]))
}

/** The tools that replace those of the servers. */
function insteadOf(parts: MetaToolParts): readonly MetaTool[] {
  const { bridge, code, search, mayCall } = parts
  if (code !== undefined) return [runCodeTool({ bridge, code, mayCall })]
  return search === undefined ? [] : [toolSearch(parts, search), callTool(parts)]
}

function toolSearch(
  { bridge, profile, mayCall }: MetaToolParts,
  { limit = 5 }: { readonly limit?: number },
): MetaTool {
  return {
    name: 'tool_search',
    description:
      'Finds tools by words of their names, descriptions and arguments. Returns the best ones with the schema of their arguments; call them with call_tool.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'words for what the tool should do' } },
      required: ['query'],
      additionalProperties: false,
    },
    call: async (args) => {
      const query = isJsonObject(args) && typeof args['query'] === 'string' ? args['query'] : undefined
      if (query === undefined) return errorResult('tool_search needs a text "query"')
      const found = bridge.searchTools(query, { limit, among: mayCall })
      const tools = found.matches.flatMap(({ tool }) => shownTool(bridge, profile, tool))
      return text(JSON.stringify({ tools, unmatched: found.unmatched }))
    },
  }
}

function shownTool(bridge: Bridge, profile: ProfileName, tool: BridgeTool): readonly object[] {
  const compiled = bridge.toolFor(profile, tool)
  if ('reason' in compiled) return []
  return [{ name: tool.name, description: compiled.description, parameters: compiled.parameters }]
}

function callTool(parts: MetaToolParts): MetaTool {
  return {
    name: 'call_tool',
    description: 'Calls a tool that tool_search has found.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'the name that tool_search gave' },
        arguments: { type: 'object', description: 'arguments by the schema that tool_search gave' },
      },
      required: ['name', 'arguments'],
      additionalProperties: false,
    },
    call: async (args, options) => {
      const target = targetOf(parts, args)
      return 'model' in target ? callModelTool(parts.bridge, target.model, target.args, options) : target
    },
    targetOf: (args) => {
      const target = targetOf(parts, args)
      return 'model' in target ? target : undefined
    },
  }
}

/** The tool that the arguments of `call_tool` name, or an error result. */
function targetOf({ bridge, profile, mayCall }: MetaToolParts, args: unknown): ModelCall | CallToolResult {
  const given: JsonObject = isJsonObject(args) ? args : {}
  const name = typeof given['name'] === 'string' ? given['name'] : undefined
  const tool = name === undefined ? undefined : bridge.tool(name)
  if (tool === undefined || !mayCall(tool) || !isVisibleToModel(tool.definition))
    return errorResult(`there is no tool ${JSON.stringify(name)}; find its name with tool_search`)
  const model = bridge.toolFor(profile, tool)
  if ('reason' in model) return errorResult(`${tool.name} cannot be called: ${model.reason}`)
  return { model, args: given['arguments'] }
}

function readResult(parts: MetaToolParts): MetaTool {
  return {
    name: 'read_result',
    description: 'Reads on in a result that was too long to be shown whole.',
    parameters: {
      type: 'object',
      properties: {
        uri: { type: 'string', description: 'the address of the result, result://…' },
        from: { type: 'integer', minimum: 0, description: 'the character to begin at' },
        length: { type: 'integer', minimum: 1, description: 'how many characters to read at most' },
      },
      required: ['uri'],
      additionalProperties: false,
    },
    call: async (args) => {
      if (!isJsonObject(args) || typeof args['uri'] !== 'string')
        return errorResult('read_result needs a text "uri"')
      return text(stretchOf(parts, args['uri'], args))
    },
  }
}

function stretchOf(
  { bridge, options: { origin } }: MetaToolParts,
  uri: string,
  { from, length }: Readonly<Record<string, unknown>>,
): string {
  const { maxCharacters } = bridge.results.policy
  const {
    next,
    totalCharacters,
    text: stretch,
  } = bridge.results.read(uri, {
    ...(typeof from === 'number' ? { from } : {}),
    length: Math.min(typeof length === 'number' ? length : 20_000, maxCharacters - 200),
    ...(origin === undefined ? {} : { origin }),
  })
  const rest =
    next === undefined ? '[the end]' : `[… ${totalCharacters - next} more characters; read on from ${next}]`
  return `${stretch}\n\n${rest}`
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] }
}
