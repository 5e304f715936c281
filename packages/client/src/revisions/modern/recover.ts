import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'
import { isClientError } from '../../http/http-errors.ts'
import type { EraVerdict } from '../era.ts'
import type { ModernRequests } from './modern-requests.ts'
import { ModernErrorCode, supportedVersionsIn } from '../unsupported-version.ts'

/** A request that a server refused. */
export interface RefusedRequest {
  readonly method: string
  readonly params: JsonObject
  readonly options: RequestOptions
}

/** Replaces a verdict that proved wrong: it is already expired. */
export const EXPIRED: EraVerdict = { era: 'legacy', at: 0 }

/** Codes with which a modern server may answer with HTTP 400 or 404. */
const MODERN_REFUSALS: ReadonlySet<number> = new Set([
  ...Object.values(ModernErrorCode),
  McpErrorCode.InvalidRequest,
  McpErrorCode.MethodNotFound,
  McpErrorCode.InvalidParams,
])

/** Maximum number of pages searched for one tool. */
const MAX_SEARCHED_PAGES = 100

/** Whether the answer is that of a legacy server. */
export function isLegacyAnswer(error: McpError): boolean {
  const isRefusal = isClientError(error) && error.kind !== 'unauthorized'
  return isRefusal && (error.kind !== 'peer' || !MODERN_REFUSALS.has(error.code))
}

/** Does what the server's refusal requires. Resolves with whether to repeat the request. */
export async function recover(
  requests: ModernRequests,
  error: McpError,
  { method, params, options }: RefusedRequest,
): Promise<boolean> {
  if (error.kind !== 'peer') return false
  if (error.code === ModernErrorCode.UnsupportedVersion)
    return requests.adoptVersion(supportedVersionsIn(error))
  const isAboutArguments = error.code === ModernErrorCode.HeaderMismatch && method === 'tools/call'
  return isAboutArguments && requests.usesHttp && lookUp(requests, params['name'], options)
}

/** Reads the list of tools up to one tool, whose schema has changed or is unknown. */
async function lookUp(requests: ModernRequests, name: unknown, options: RequestOptions): Promise<boolean> {
  const { onProgress: _, ...quiet } = options
  let cursor: unknown
  for (let pages = 0; pages < MAX_SEARCHED_PAGES; pages++) {
    const page = await requests.sendOnce('tools/list', cursor === undefined ? {} : { cursor }, quiet)
    const { tools } = await requests.readToolPage(page)
    if (Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool['name'] === name)) return true
    if (typeof page['nextCursor'] !== 'string') return false
    cursor = page['nextCursor']
  }
  return false
}
