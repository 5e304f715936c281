import { answerAsHost } from './features/host-answers.ts'
import { firstWilling } from './incoming-requests.ts'
import { isJsonObject } from './json.ts'
import { McpError, URL_ELICITATION_REQUIRED } from './jsonrpc.ts'
import type { ClientHost } from './revisions/codec.ts'
import type { IncomingRequestHandler, RequestOptions } from './transport.ts'

/** A request that a server may refuse until a person has been somewhere. */
export interface UrlRequest {
  readonly ask: () => Promise<unknown>
  readonly options: RequestOptions
  /** Aborted when the connection ends. */
  readonly lifetime: AbortSignal
}

/** Asks again if the server wants a person to go somewhere first and that person went; else the refusal stands. */
export async function askAfterUrls(
  refusal: unknown,
  host: ClientHost,
  request: UrlRequest,
): Promise<unknown> {
  if (!isUrlRequired(refusal) || !(await wentThere(refusal.data, host, request))) throw refusal
  return request.ask()
}

function isUrlRequired(error: unknown): error is McpError {
  return error instanceof McpError && error.kind === 'peer' && error.code === URL_ELICITATION_REQUIRED
}

/**
 * Has a person led to each address that a refusal names, one after the other. False when there is none, or when the
 * person does not want to go.
 */
async function wentThere(data: unknown, host: ClientHost, request: UrlRequest): Promise<boolean> {
  const { elicitations } = isJsonObject(data) ? data : {}
  if (!Array.isArray(elicitations) || elicitations.length === 0) return false
  const { lifetime, options } = request
  const signal = AbortSignal.any(options.signal === undefined ? [lifetime] : [options.signal, lifetime])
  const byHost: IncomingRequestHandler = (...question) => answerAsHost(host, ...question)
  for (const elicitation of elicitations) {
    const asked = { mode: 'url', ...(isJsonObject(elicitation) ? elicitation : {}) }
    const answer = await firstWilling([options.onRequest, byHost], 'elicitation/create', asked, signal)
    signal.throwIfAborted()
    if (!isJsonObject(answer) || answer['action'] !== 'accept') return false
  }
  return true
}
