import { isJsonObject } from './jsonrpc/json.ts'
import type { Tool } from './model/tool.ts'

/** Whether the model may see a tool. MCP Apps have tools that only their own pages call. */
export function isVisibleToModel({ _meta }: Tool): boolean {
  const visibility = isJsonObject(_meta?.['ui']) ? _meta['ui']['visibility'] : undefined
  return !Array.isArray(visibility) || visibility.includes('model')
}
