import { firstWilling } from './incoming-requests.ts'
import { isJsonObject } from './json.ts'
import { McpError } from './jsonrpc.ts'
import type { IncomingRequestHandler } from './transport.ts'

/** A request that a server may refuse until a person has been somewhere. */
export interface UrlRequest {
  readonly ask: () => Promise<unknown>
  /** Who may lead a person to an address, in this order. */
  readonly handlers: readonly (IncomingRequestHandler | undefined)[]
  /** Aborted when the connection ends. */
  readonly lifetime: AbortSignal
  /** Aborted when the request is given up. */
  readonly signal: AbortSignal | undefined
}

/** A person has to go to an address before the request can be served. */
const URL_ELICITATION_REQUIRED = -32042

/** Asks again if the server wants a person to go somewhere first and that person went; else the refusal stands. */
export async function askAfterUrls(refusal: unknown, request: UrlRequest): Promise<unknown> {
  if (!isUrlRequired(refusal) || !(await wentThere(refusal.data, request))) throw refusal
  return request.ask()
}

function isUrlRequired(error: unknown): error is McpError {
  return error instanceof McpError && error.kind === 'peer' && error.code === URL_ELICITATION_REQUIRED
}

/**
 * Has a person led to each address that a refusal names, one after the other. False when there is none, or when the
 * person does not want to go.
 */
async function wentThere(data: unknown, { handlers, lifetime, signal: own }: UrlRequest): Promise<boolean> {
  const { elicitations } = isJsonObject(data) ? data : {}
  if (!Array.isArray(elicitations) || elicitations.length === 0) return false
  const signal = AbortSignal.any(own === undefined ? [lifetime] : [own, lifetime])
  for (const elicitation of elicitations) {
    const asked = { mode: 'url', ...(isJsonObject(elicitation) ? elicitation : {}) }
    const answer = await firstWilling(handlers, 'elicitation/create', asked, signal)
    signal.throwIfAborted()
    if (!isJsonObject(answer) || answer['action'] !== 'accept') return false
  }
  return true
}
