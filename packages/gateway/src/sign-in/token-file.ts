import { randomBytes } from 'node:crypto'
import { chmod, lstat, readFile, writeFile } from 'node:fs/promises'
import { FileError, isOwn } from '@toolbridge/client/internal'

/** Returns the bearer token in a file, such as that of MCP hosts on this machine. Created once; only its owner can read it. */
export async function openToken(file: string): Promise<string> {
  try {
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!isExisting(error)) throw error
    await requireOwnFile(file)
    await chmod(file, 0o600)
  }
  const token = (await readFile(file, 'utf8')).trim()
  if (token.length < 32) throw new TypeError(`${file} contains no valid token; delete it to create a new one`)
  return token
}

/** A token that somebody else could write is known to them. */
async function requireOwnFile(file: string): Promise<void> {
  const found = await lstat(file)
  if (found.isFile() && isOwn(found, 'read')) return
  throw new FileError(`other users could have written the token in ${file}`, 'delete it to create a new one')
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
