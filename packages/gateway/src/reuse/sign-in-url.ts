import { paths } from '@toolbridge/api'
import { isJsonObject } from '@toolbridge/client/internal'
import { readOwnerFile } from '../sign-in/owner-file.ts'
import { requestAsOwner } from './owner-request.ts'

/**
 * Requests a sign-in URL, valid once and for ten minutes, from the gateway that runs on this data folder. Returns undefined
 * if no gateway runs on it, also if another program listens on the port of one that has ended.
 */
export async function requestSignInUrl(
  dataFolder: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const owner = await readOwnerFile(dataFolder)
  const request = { method: 'POST', ...(signal === undefined ? {} : { signal }) }
  const response = await requestAsOwner(dataFolder, paths.signInCode, request)
  const answer: unknown = response?.ok === true ? await response.json().catch(() => undefined) : undefined
  if (owner === undefined || !isJsonObject(answer) || typeof answer['code'] !== 'string') return undefined
  return `${owner.publicUrl}/#code=${answer['code']}`
}
