import type { Problem } from '@toolbridge/api'
import { LockboxError } from '@toolbridge/lockbox'
import { provenAnswer } from '../reuse/proven-answer.ts'
import { type OwnerFile, readOwnerFile } from '../sign-in/owner-file.ts'

const answerTimeoutMs = 5_000

/** Returns the owner file of the gateway that runs on the data folder. Undefined if none does. */
export async function runningOwner(dataFolder: string): Promise<OwnerFile | undefined> {
  const owner = await readOwnerFile(dataFolder)
  const answer =
    owner && (await provenAnswer(owner, AbortSignal.timeout(answerTimeoutMs)).catch(() => undefined))
  return answer === undefined ? undefined : owner
}

/** Sends a request about the store as the local owner. Rejects with `unreachable` if the gateway does not complete it. */
export async function requestFromStore(
  { url, token }: OwnerFile,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { ...init, headers, redirect: 'error' })
  if (response.ok) return response
  if (response.status === 404) throw refusedByGateway('it is of an older version; restart it')
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>
  throw refusedByGateway(problem.detail ?? `status ${response.status}`)
}

/** The error of a request that the running gateway did not complete. */
export function refusedByGateway(reason: string): LockboxError {
  return new LockboxError('unreachable', `the running gateway did not complete the request: ${reason}`)
}
