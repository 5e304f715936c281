import { readOwnerFile } from '../sign-in/owner-file.ts'
import { provenAnswer } from './proven-answer.ts'

const answerTimeoutMs = 5_000

/** A request of the owner. */
export interface OwnerRequest {
  /** HTTP method. */
  readonly method: string
  /** Sent as JSON. Default: no body. */
  readonly body?: object
  /** Aborts the request. Default: none. */
  readonly signal?: AbortSignal
}

/**
 * Sends a request with the owner token to the gateway that runs on a data folder, after it has proved that it knows the
 * token: another program may listen on the port of a gateway that has ended. Undefined if no gateway runs.
 */
export async function requestAsOwner(
  dataFolder: string,
  path: string,
  { method, body, signal }: OwnerRequest,
): Promise<Response | undefined> {
  const owner = await readOwnerFile(dataFolder)
  if (owner === undefined) return undefined
  const response = await send().catch(() => undefined)
  signal?.throwIfAborted()
  return response

  async function send(): Promise<Response | undefined> {
    if (owner === undefined || (await provenAnswer(owner, inTime(signal))) === undefined) return undefined
    return fetch(owner.url + path, {
      method,
      // The token is for this gateway only, which redirects nowhere.
      redirect: 'error',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      signal: inTime(signal),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
}

function inTime(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(answerTimeoutMs)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}
