import { isJsonObject, isTooDeep } from '@toolbridge/client/internal'
import { McpErrorCode } from '@toolbridge/client'
import { mayNamePrototype, namesPrototype, prototypeRefused } from '../http/read-body.ts'
import { refusal } from './refusal.ts'

/** The body of a request, parsed once; undefined unless it is a POST. Or the response that refuses it. */
export async function readMessage(
  request: Request,
): Promise<{ readonly message: unknown } | { readonly refused: Response }> {
  if (request.method !== 'POST') return { message: undefined }
  try {
    const text = await request.text()
    const message: unknown = JSON.parse(text)
    // Messages that are too deep are refused as arguments, by the bridge.
    const isRefused = mayNamePrototype(text) && !isTooDeep(message) && namesPrototype(message)
    return isRefused ? { refused: refusedName(message) } : { message }
  } catch {
    return { refused: refusal(400, McpErrorCode.ParseError, 'Parse error: Invalid JSON') }
  }
}

/** An error of the request, if it has an id, so that the host can tell its user. */
function refusedName(message: unknown): Response {
  const { id } = isJsonObject(message) ? message : {}
  const [status, code] =
    id === undefined ? [400, McpErrorCode.InvalidRequest] : [200, McpErrorCode.InvalidParams]
  return refusal(status, code, prototypeRefused, id)
}
