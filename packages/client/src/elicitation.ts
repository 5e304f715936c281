import { isJsonObject, type JsonObject } from './json.ts'
import { McpError, McpErrorCode } from './jsonrpc.ts'
import type { ElicitFormRequest, ElicitRequest } from './model/elicitation.ts'

/**
 * Reads `elicitation/create`, has it answered, and completes an accepted form with the defaults of the fields that were
 * left out. Throws what the server is to be told when it asks for something that was not offered.
 */
export async function answerElicitation(
  params: unknown,
  ask: (request: ElicitRequest) => Promise<unknown>,
): Promise<unknown> {
  const request = parseFormRequest(params)
  const answer = await ask(request)
  if (!isJsonObject(answer) || answer['action'] !== 'accept') return answer
  const given = isJsonObject(answer['content']) ? answer['content'] : {}
  return { ...answer, content: { ...defaultsOf(request.requestedSchema), ...given } }
}

function parseFormRequest(params: unknown): ElicitFormRequest {
  const { mode, message, requestedSchema } = isJsonObject(params) ? params : {}
  if (mode !== undefined && mode !== 'form') throw invalidParams('only elicitation by form was offered')
  if (typeof message !== 'string') throw invalidParams('message must be a string')
  if (!isJsonObject(requestedSchema)) throw invalidParams('requestedSchema must be an object')
  return { mode: 'form', message, requestedSchema }
}

function defaultsOf(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) && property['default'] !== undefined ? [[name, property['default']] as const] : [],
  )
  return Object.fromEntries(defaults)
}

function invalidParams(message: string): McpError {
  return new McpError(`invalid elicitation: ${message}`, {
    kind: 'unsupported',
    code: McpErrorCode.InvalidParams,
  })
}
