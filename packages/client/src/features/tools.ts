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
  // A tool without a schema takes any arguments; one without a name cannot be called.
  defaults: { inputSchema: { type: 'object' } },
}

/** Every tool, as the server describes it. Not gated: servers with tools that do not declare them exist. */
export function listTools(requester: Requester, options?: RequestOptions): Promise<readonly Tool[]> {
  return requester.list(TOOLS, options)
}

function isTool(value: unknown): value is Tool {
  return isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['inputSchema'])
}

/** Whether a call was answered with a task in place of its result. */
export function isTaskStart(result: unknown): boolean {
  return isJsonObject(result) && result['resultType'] === 'task'
}

/** Servers of the handshake era may leave `content` out. */
export function parseCallToolResult(result: unknown): CallToolResult {
  if (!isJsonObject(result)) throw malformedError('the result of tools/call is not an object')
  const { content } = result
  if (Array.isArray(content)) return result as unknown as CallToolResult
  if (content === undefined || content === null) return { ...result, content: [] }
  throw malformedError('the content of the result of tools/call is not a list')
}
