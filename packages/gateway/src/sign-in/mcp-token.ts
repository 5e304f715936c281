import { randomBytes } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'

/** The long-lived bearer for MCP hosts on this machine: made once, kept in a file that only its owner reads. */
export async function openMcpToken(file: string): Promise<string> {
  try {
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!isAlreadyThere(error)) throw error
    await chmod(file, 0o600)
  }
  const token = (await readFile(file, 'utf8')).trim()
  if (token.length < 32) throw new TypeError(`${file} holds no token: delete it and a new one is made`)
  return token
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
