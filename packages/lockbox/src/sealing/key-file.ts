import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { createFileOnce, hasErrorCode, replaceFile } from '@toolbridge/client/internal'
import { SealError } from '../errors.ts'

/** Size of a key. */
export const KEY_BYTES = 32

/** Reads the keys of a file, one per line, or undefined if there is no file. It must be readable by its owner only. */
export async function readKeyFile(file: string): Promise<readonly string[] | undefined> {
  try {
    const { mode } = await stat(file)
    // Windows reports no real modes; there the access list of the folder protects the file.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw tooOpen(file)
    return linesOf(await readFile(file, 'utf8'))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Creates a file with a new key. If two processes do so at once, one creates the file and both read its key. */
export async function createKeyFile(file: string): Promise<readonly string[]> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await createFileOnce(locationOf(file), `${newKey()}\n`, 'durable')
  return linesOf(await readFile(file, 'utf8'))
}

/** Writes a new key before the keys of a file. */
export async function addKey(file: string): Promise<void> {
  await writeKeys(file, [newKey(), ...((await readKeyFile(file)) ?? [])])
}

/** Moves a key out of the file, to a file of its own that nothing reads: backups made so far need it. Returns that file. */
export async function retireKey(file: string, key: string, keyId: string): Promise<string> {
  const retired = `${file}.retired-${keyId}`
  await createFileOnce(locationOf(retired), `${key}\n`, 'durable')
  const kept = ((await readKeyFile(file)) ?? []).filter((line) => line !== key)
  await writeKeys(file, kept)
  return retired
}

function writeKeys(file: string, keys: readonly string[]): Promise<void> {
  return replaceFile(locationOf(file), keys.map((key) => `${key}\n`).join(''), 'durable')
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('hex')
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}

function locationOf(file: string): { readonly folder: string; readonly name: string } {
  return { folder: dirname(file), name: basename(file) }
}

function tooOpen(file: string): SealError {
  return new SealError(
    'wrong_key',
    `the key file ${file} is readable by other users; run: chmod 600 '${file}'`,
  )
}
