import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
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
