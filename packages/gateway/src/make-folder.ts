import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FileError, isOwn } from '@toolbridge/client/internal'

/**
 * Creates a private folder and its parents if missing. Does not use Node's `recursive` option, which never returns on file
 * systems where folders cannot be created, such as /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && (await isFolder(path))) return
    if (code !== 'ENOENT' || (await isFolder(dirname(path)))) throw error
    await makeFolder(dirname(path))
    await makeFolder(path)
  }
}

/** Rejects if other users can write to a folder: they could have put a token or a key there. */
export async function requireOwnFolder(path: string): Promise<void> {
  if (isOwn(await stat(path), 'read')) return
  throw new FileError(
    `other users can write to the data folder ${path}`,
    `delete files in it that are not yours and run chmod 700 ${path}, or choose another folder`,
  )
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
