import { isJsonObject, type JsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { ElicitFormRequest, ElicitRequest, ElicitUrlRequest } from '../model/elicitation.ts'
import { parsedUrl } from '../text/parsed-url.ts'

/**
 * Parses `elicitation/create`, calls the handler, and adds the defaults of omitted fields to an accepted form. Throws the
 * error for the server if it asks for a mode that was not declared.
 */
export async function answerElicitation(
  params: unknown,
  offersUrls: boolean,
  ask: (request: ElicitRequest) => Promise<unknown>,
): Promise<unknown> {
  const request = parseElicitation(params, offersUrls)
  const answer = await ask(request)
  if (!isJsonObject(answer) || answer['action'] !== 'accept') return answer
  // Accepting a URL is consent to visit it; there is no content.
  if (request.mode === 'url') return { action: 'accept' }
  const given = isJsonObject(answer['content']) ? answer['content'] : {}
  return { ...answer, content: { ...defaultsOf(request.requestedSchema), ...given } }
}

function parseElicitation(params: unknown, offersUrls: boolean): ElicitRequest {
  const request = isJsonObject(params) ? params : {}
  const { mode = 'form', message } = request
  if (mode !== 'form' && (mode !== 'url' || !offersUrls)) {
    throw invalidParams(`only elicitation by form${offersUrls ? ' and URL' : ''} is supported`)
  }
  if (typeof message !== 'string') throw invalidParams('message must be a string')
  return mode === 'form' ? parseForm(message, request) : parseUrl(message, request)
}

function parseForm(message: string, { requestedSchema }: JsonObject): ElicitFormRequest {
  if (!isJsonObject(requestedSchema)) throw invalidParams('requestedSchema must be an object')
  return { mode: 'form', message, requestedSchema }
}

/** Only web URLs: others could make the opener run code. */
function parseUrl(message: string, { url, elicitationId }: JsonObject): ElicitUrlRequest {
  const isWeb = typeof url === 'string' && /^https?:$/.test(parsedUrl(url)?.protocol ?? '')
  if (!isWeb) throw invalidParams('url must be an http or https address')
  return { mode: 'url', message, url, ...(typeof elicitationId === 'string' ? { elicitationId } : {}) }
}

/** A null default means that the field may be omitted. */
function defaultsOf(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const defaults = Object.entries(properties).flatMap(([name, property]) => {
    const preset = isJsonObject(property) ? (property['default'] ?? undefined) : undefined
    return preset === undefined ? [] : [[name, preset] as const]
  })
  return Object.fromEntries(defaults)
}

function invalidParams(message: string): McpError {
  return new McpError(`invalid elicitation: ${message}`, {
    kind: 'unsupported',
    code: McpErrorCode.InvalidParams,
  })
}
