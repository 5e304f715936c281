import { randomUUID } from 'node:crypto'
import type { CallToolResult } from '@toolbridge/client'
import { isJsonObject, isVisibleToModel, type JsonObject, textBy } from '@toolbridge/client/internal'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import { estimateTokens } from '../catalog/estimate-tokens.ts'
import type { ModelTool } from '../catalog/tool-compiler.ts'
import { declarationsOf } from '../code/declarations.ts'
import type { CodeOutcome } from '../code/sandbox/code-run.ts'
import type { CodeRunner } from '../code/sandbox/code-runner.ts'
import { errorResult } from '../results/checked-output.ts'
import { callModelTool } from './call-model-tool.ts'
import type { MetaTool } from './meta-tools.ts'

/** Options for calling tools from code. */
export interface CodeMode {
  /** Runs the code: `createCodeRunner()` of `@toolbridge/bridge/code`. */
  readonly runner: CodeRunner
  /** Estimated tokens of the tools' declarations above which code finds them by `search_tools`. Default: 8,000. */
  readonly maxTokens?: number
}

interface CodeToolParts {
  readonly bridge: Bridge
  readonly code: CodeMode
  /** Returns whether the surface includes the tool. */
  readonly mayCall: (tool: BridgeTool) => boolean
}

const defaultMaxTokens = 8_000
const searchName = 'search_tools'
const maxFound = 10

/** The tool that runs code which calls the tools of the surface. */
export function runCodeTool(parts: CodeToolParts): MetaTool {
  const { bridge, mayCall, code } = parts
  const tools = new Map(
    bridge
      .toolsFor('generic')
      .tools.filter(({ tool }) => mayCall(tool) && isVisibleToModel(tool.definition))
      .map((tool) => [tool.name, tool]),
  )
  const declarations = declarationsOf([...tools.values()])
  const isSearched = estimateTokens(declarations) > (code.maxTokens ?? defaultMaxTokens)
  const functions = [...new Set([...tools.keys(), ...(isSearched ? [searchName] : [])])]
  return {
    name: 'run_code',
    description: `${usage}\n\n${isSearched ? searchDeclaration(tools.size) : declarations}`,
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', description: 'JavaScript, the body of an async function' } },
      required: ['code'],
      additionalProperties: false,
    },
    call: async (args, options) => {
      if (!isJsonObject(args) || typeof args['code'] !== 'string')
        return errorResult('run_code needs a text "code"')
      const inner = { ...options, approved: false, parent: randomUUID() }
      const outcome = await code.runner.run({
        code: args['code'],
        functions,
        signal: options.signal,
        call: (name, input, signal) =>
          isSearched && name === searchName
            ? Promise.resolve(found(bridge, tools, mayCall, input))
            : called(bridge, tools.get(name), input, { ...inner, signal }),
      })
      return shown(outcome)
    },
  }
}

const usage = `Runs JavaScript that calls tools, and returns what the code returns or logs: nothing else of the results is shown. \
The code is the body of an async function; it can use await, return and console.log, and has no network, files, timers or \
modules. Each function of tools takes one object and rejects if the tool fails. Make independent calls at once with Promise.all, \
and return only what is needed.`

function searchDeclaration(count: number): string {
  return `There are ${count} tools; find them first, then call them by name, as tools["name"](args).

declare const tools: {
  /** Finds tools by words of their names, descriptions and arguments. Returns the declarations of the best ones. */
  ${searchName}(args: { query: string }): Promise<string>
  [name: string]: (args: object) => Promise<unknown>
}`
}

function found(
  bridge: Bridge,
  tools: ReadonlyMap<string, ModelTool>,
  among: (tool: BridgeTool) => boolean,
  { query }: JsonObject,
): string {
  if (typeof query !== 'string') throw new TypeError(`${searchName} needs a text "query"`)
  const { matches } = bridge.searchTools(query, { limit: maxFound, among })
  const best = matches.flatMap(({ tool }) => [...tools.values()].find((each) => each.tool === tool) ?? [])
  return best.length === 0 ? 'no tool was found; use other words' : declarationsOf(best)
}

/** The structured content of a result, or its text. A failure that the tool reports rejects. */
async function called(
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

function shown({ value, logs, failure, cancelledCalls }: CodeOutcome): CallToolResult {
  const lines = logs.length === 0 ? [] : [`Logs:\n${logs.join('\n')}`]
  const late = cancelledCalls === 0 ? [] : [`${cancelledCalls} calls were not awaited, and were cancelled.`]
  if (failure !== undefined) {
    const { kind, limit, line, message } = failure
    const where = line === undefined ? '' : ` (line ${line})`
    const what = kind === 'limit' ? `The code exceeded its limit on ${limit}` : 'The code failed'
    return errorResult([...lines, `${what}${where}: ${message}`, ...late].join('\n\n'))
  }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'The code returned nothing.')
  return { content: [{ type: 'text', text: [...lines, text, ...late].join('\n\n') }] }
}
