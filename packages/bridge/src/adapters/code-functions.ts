import { isVisibleToModel, type JsonObject, textBy } from '@toolbridge/client/internal'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { ModelTool } from '../catalog/tool-compiler.ts'
import { declarationsOf, declarationsWithin } from '../code/declarations.ts'
import { callModelTool } from './call-model-tool.ts'

const defaultMaxTokens = 8_000
const maxFound = 10

/** The functions below `tools` in code. */
export interface CodeFunctions {
  readonly names: readonly string[]
  /** Their declaration in TypeScript, for the model. */
  readonly declaration: string
  /** Calls one. Rejects if the tool fails. */
  call(name: string, args: JsonObject, options: CallOptions): Promise<unknown>
}

interface CodeFunctionParts {
  readonly bridge: Bridge
  /** Estimated tokens of the declaration above which code finds the tools by a search. Default: 8,000. */
  readonly maxTokens: number | undefined
  /** Returns whether the surface includes the tool. */
  readonly mayCall: (tool: BridgeTool) => boolean
}

type Tools = ReadonlyMap<string, ModelTool>

/** The current tools of a surface as functions, with one that finds them if their declaration is too long. */
export function codeFunctions(parts: CodeFunctionParts): CodeFunctions {
  const { bridge, maxTokens = defaultMaxTokens } = parts
  const tools = toolsOf(parts)
  const declaration = declarationsWithin([...tools.values()], maxTokens)
  if (declaration === undefined) return searchedFunctions(parts, tools)
  return {
    names: [...tools.keys()],
    declaration,
    call: (name, args, options) => callFunction(bridge, tools.get(name), args, options),
  }
}

function toolsOf({ bridge, mayCall }: CodeFunctionParts): Tools {
  const { tools } = bridge.toolsFor('generic')
  const callable = tools.filter(({ tool }) => mayCall(tool) && isVisibleToModel(tool.definition))
  return new Map(callable.map((tool) => [tool.name, tool]))
}

function searchedFunctions(parts: CodeFunctionParts, tools: Tools): CodeFunctions {
  const searchName = freeName('search_tools', tools)
  return {
    names: [searchName, ...tools.keys()],
    declaration: searchDeclaration(searchName, tools.size),
    call: async (name, args, options) =>
      name === searchName
        ? foundTools(parts, tools, args)
        : callFunction(parts.bridge, tools.get(name), args, options),
  }
}

/** A server may have a tool of that name. */
function freeName(name: string, tools: Tools): string {
  return tools.has(name) ? freeName(`${name}_`, tools) : name
}

function searchDeclaration(searchName: string, count: number): string {
  return `There are ${count} tools; find them first, then call them by name, as tools["name"](args).

declare const tools: {
  /** Finds tools by words of their names, descriptions and arguments. Returns the declarations of the best ones. */
  ${searchName}(args: { query: string }): Promise<string>
  [name: string]: (args: object) => Promise<unknown>
}`
}

function foundTools({ bridge, mayCall }: CodeFunctionParts, tools: Tools, { query }: JsonObject): string {
  if (typeof query !== 'string') throw new TypeError('the search needs a text "query"')
  const { matches } = bridge.searchTools(query, { limit: maxFound, among: mayCall })
  const best = matches.flatMap(({ tool }) => tools.get(tool.name) ?? [])
  return best.length === 0 ? 'no tool was found; use other words' : declarationsOf(best)
}

/** The structured content of a result, or its text. */
async function callFunction(
  bridge: Bridge,
  model: ModelTool | undefined,
  args: JsonObject,
  options: CallOptions,
): Promise<unknown> {
  if (model === undefined) throw new RangeError('there is no such tool')
  const result = await callModelTool(bridge, model, args, options)
  const text = textBy(bridge.results.policyOf(result), result)
  if (result.isError === true) throw new Error(text || 'the tool failed')
  return result.structuredContent ?? text
}
