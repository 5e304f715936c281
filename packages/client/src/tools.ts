import { isJsonObject } from './json.ts'
import { malformedError } from './jsonrpc.ts'
import type { CallToolResult, Tool } from './model/tool.ts'

/** One page of `tools/list`. */
export interface ToolPage {
  readonly tools: readonly Tool[]
  /** How many entries were left out because they cannot be called: no name, or a schema that is none. */
  readonly dropped: number
  readonly nextCursor: string | undefined
}

/** Checks the shape of a page by hand: a schema library would cost more than the rest of the call. */
export function parseToolPage(result: unknown): ToolPage {
  const { tools, nextCursor } = isJsonObject(result) ? result : {}
  if (!Array.isArray(tools)) throw malformedError("the server's answer to tools/list has no list of tools")
  const usable = tools.every(isTool) ? tools : tools.flatMap(repairTool)
  return {
    tools: usable,
    dropped: tools.length - usable.length,
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
  }
}

function isTool(value: unknown): value is Tool {
  return isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['inputSchema'])
}

/** A tool without a schema takes any arguments; one without a name cannot be called. */
function repairTool(value: unknown): Tool[] {
  const repaired = isJsonObject(value)
    ? { ...value, inputSchema: value['inputSchema'] ?? { type: 'object' } }
    : value
  return isTool(repaired) ? [repaired] : []
}

/** Servers of the handshake era may leave `content` out. */
export function parseCallToolResult(result: unknown): CallToolResult {
  if (!isJsonObject(result)) throw malformedError("the server's answer to tools/call is not an object")
  const { content } = result
  if (Array.isArray(content)) return result as unknown as CallToolResult
  if (content === undefined || content === null) return { ...result, content: [] }
  throw malformedError("the content of the server's answer to tools/call is not a list")
}
