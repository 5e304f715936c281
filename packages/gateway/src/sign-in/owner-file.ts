import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode, isJsonObject, isOwn } from '@toolbridge/client/internal'

/** What the owner of a running gateway needs to reach it. */
export interface OwnerFile {
  /** URL on this machine. */
  readonly url: string
  /** URL for people. */
  readonly publicUrl: string
  /** A secret. */
  readonly token: string
}

/** Returns the owner file of the gateway that runs or ran on a data folder. Undefined if this user has none. */
export async function readOwnerFile(dataFolder: string): Promise<OwnerFile | undefined> {
  try {
    const found: unknown = JSON.parse(await readPrivate(ownerFile(dataFolder)))
    if (!isJsonObject(found)) return undefined
    const { url, publicUrl = url, token } = found
    if (typeof url !== 'string' || typeof publicUrl !== 'string' || typeof token !== 'string')
      return undefined
    return { url, publicUrl, token }
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** A file that other users could have written or read counts as empty. */
async function readPrivate(path: string): Promise<string> {
  const file = await open(path)
  try {
    return isOwn(await file.stat(), 'none') ? await file.readFile('utf8') : ''
  } finally {
    await file.close()
  }
}

export function ownerFile(dataFolder: string): string {
  return join(dataFolder, 'owner-token')
}
