import { isJsonObject } from '../jsonrpc/json.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'
import type { CallToolResult, Tool } from '../model/tool.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'
import type { PagedList } from './pages.ts'
import type { Requester } from './requester.ts'

const TOOLS: PagedList<Tool> = {
  method: 'tools/list',
  key: 'tools',
  what: 'tools',
  isItem: isTool,
  // A tool without a schema accepts any arguments; one without a name is dropped.
  defaults: { inputSchema: { type: 'object' } },
}

/** Lists all tools. Requires no capability: some servers with tools do not declare it. */
export function listTools(requester: Requester, options?: RequestOptions): Promise<readonly Tool[]> {
  return requester.list(TOOLS, options)
}

function isTool(value: unknown): value is Tool {
  return isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['inputSchema'])
}

/** Whether a call was answered with a task. */
export function isTaskStart(result: unknown): boolean {
  return isJsonObject(result) && result['resultType'] === 'task'
}

/** Checks a tool result. Legacy servers may omit `content`. */
export function parseCallToolResult(result: unknown): CallToolResult {
  if (!isJsonObject(result)) throw malformedError('the result of tools/call is not an object')
  const { content } = result
  if (Array.isArray(content)) return result as unknown as CallToolResult
  if (content === undefined || content === null) return { ...result, content: [] }
  throw malformedError('the result of tools/call has invalid content')
}
