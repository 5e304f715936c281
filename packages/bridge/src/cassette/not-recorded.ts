import { type JsonRpcErrorObject, McpErrorCode } from '@toolbridge/client'
import type { JsonObject } from '@toolbridge/client/internal'
import type { Exchange } from './exchanges.ts'
import { paramsOf } from './match-params.ts'

/** Maximum number of recorded requests that an error lists. */
const maxListed = 5

/** The error for a request that a cassette does not have, with those that it has. */
export function notRecorded(
  method: string,
  params: JsonObject,
  exchanges: readonly Exchange[],
): JsonRpcErrorObject {
  const wanted = paramsOf(method, params)
  const alike = exchanges.filter((each) => each.method === method)
  const sameName = alike.filter((each) => each.params['name'] === wanted['name'])
  const known = sameName.length > 0 ? sameName : alike
  if (known.length === 0) {
    const methods = [...new Set(exchanges.filter((each) => each.isRequest).map((each) => each.method))]
    return {
      code: McpErrorCode.MethodNotFound,
      message: `not recorded: ${method}. Recorded: ${methods.join(', ')}`,
    }
  }
  const message = `not recorded: ${describe(method, wanted)}. Recorded: ${list(known)}`
  return { code: McpErrorCode.InvalidParams, message }
}

/** A request in one line, such as `tools/call echo {"message":"hi"}`. */
export function describe(method: string, params: JsonObject): string {
  const { name, arguments: given, ...others } = params
  const details = name === undefined ? others : { ...objectOrEmpty(given), ...others }
  const text = Object.keys(details).length === 0 ? '' : ` ${JSON.stringify(details)}`
  return `${method}${typeof name === 'string' ? ` ${name}` : ''}${text.length > 200 ? `${text.slice(0, 200)}…` : text}`
}

function list(exchanges: readonly Exchange[]): string {
  const all = [...new Set(exchanges.map((each) => describe(each.method, each.params)))]
  const more = all.length > maxListed ? `, and ${all.length - maxListed} more` : ''
  return `${all.slice(0, maxListed).join(', ')}${more}`
}

function objectOrEmpty(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
