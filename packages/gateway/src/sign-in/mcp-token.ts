import { randomBytes } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'

/** Returns the bearer token for MCP hosts on this machine. Created once, in a file that only its owner can read. */
export async function openMcpToken(file: string): Promise<string> {
  try {
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!isExisting(error)) throw error
    await chmod(file, 0o600)
  }
  const token = (await readFile(file, 'utf8')).trim()
  if (token.length < 32) throw new TypeError(`${file} contains no valid token; delete it to create a new one`)
  return token
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
