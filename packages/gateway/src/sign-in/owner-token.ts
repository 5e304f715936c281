import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { paths } from '@toolbridge/api'
import { isJsonObject } from '@toolbridge/client/internal'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { type OwnerFile, ownerFile, readOwnerFile } from './owner-file.ts'

/** Permits requesting sign-in codes from a running gateway and using its servers. Closing revokes it. */
export interface OwnerToken extends Closable {
  readonly token: string
}

/** Writes a new token and the gateway's URLs to a file in the data folder that only its owner can read. */
export async function openOwnerToken(
  dataFolder: string,
  urls: Omit<OwnerFile, 'token'>,
): Promise<OwnerToken> {
  const file = ownerFile(dataFolder)
  const token = randomBytes(32).toString('base64url')
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify({ ...urls, token })}\n`, { mode: 0o600, flag: 'wx' })
  await rename(draft, file)
  return {
    token,
    async close() {
      // Another gateway may use the folder by now.
      if ((await readOwnerFile(dataFolder))?.token === token) await rm(file, { force: true })
    },
  }
}

const answerTimeoutMs = 5_000

/**
 * Requests a sign-in URL, valid once and for ten minutes, from the gateway that runs on this data folder. Returns undefined
 * if no gateway runs on it.
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

async function requestCode({ url, token }: OwnerFile): Promise<string | undefined> {
  const response = await fetch(url + paths.signInCode, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
  const answer: unknown = await response.json()
  return isJsonObject(answer) && typeof answer['code'] === 'string' && response.ok
    ? answer['code']
    : undefined
}
