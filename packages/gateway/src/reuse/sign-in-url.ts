import { paths } from '@toolbridge/api'
import { isJsonObject } from '@toolbridge/client/internal'
import { type OwnerFile, readOwnerFile } from '../sign-in/owner-file.ts'
import { provenAnswer } from './proven-answer.ts'

const answerTimeoutMs = 5_000

/**
 * Requests a sign-in URL, valid once and for ten minutes, from the gateway that runs on this data folder. Returns undefined
 * if no gateway runs on it, also if another program listens on the port of one that has ended.
 */
export async function requestSignInUrl(
  dataFolder: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const owner = await readOwnerFile(dataFolder)
  if (owner === undefined) return undefined
  const code = await requestCode(owner).catch(() => undefined)
  signal?.throwIfAborted()
  return code === undefined ? undefined : `${owner.publicUrl}/#code=${code}`
}

async function requestCode(owner: OwnerFile): Promise<string | undefined> {
  if ((await provenAnswer(owner, answerTimeoutMs)) === undefined) return undefined
  const response = await fetch(owner.url + paths.signInCode, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
  const answer: unknown = await response.json()
  return isJsonObject(answer) && typeof answer['code'] === 'string' && response.ok
    ? answer['code']
    : undefined
}
