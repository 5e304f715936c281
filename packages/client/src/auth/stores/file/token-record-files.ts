import type { AuthKey, TokenRecord } from '../auth-store.ts'
import {
  createFileOnce,
  listFolder,
  readFileIfExists,
  removeAbandonedDrafts,
  removeFile,
} from '../../../files/private-files.ts'
import { parseRecord, formatRecord } from './token-record-format.ts'
import { storageError } from './storage-error.ts'

const READ_ATTEMPTS = 50

/** The record in a folder, or undefined if there is none. */
export async function readRecord(folder: string, key: AuthKey): Promise<TokenRecord | undefined> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    const version = highestVersion(await listFolder(folder))
    if (version === undefined) return undefined
    const path = `${folder}/${nameOf(version)}`
    const text = await readFileIfExists(path)
    if (text !== undefined) return parseRecord(path, text, key)
    // A newer version replaced it since the folder was listed.
  }
  throw storageError(`the tokens in ${folder} change faster than they can be read`, 'try again')
}

/**
 * Writes the record if the newest one has the expected version. Each version is a file, which only one process can
 * create, and the newest is never removed, so no lock is needed.
 */
export async function writeRecord(
  folder: string,
  { key, record, expected }: { key: AuthKey; record: TokenRecord; expected: number | undefined },
): Promise<boolean> {
  if (record.version !== (expected ?? 0) + 1)
    throw new RangeError('the version must be one more than expected')
  if (highestVersion(await listFolder(folder)) !== expected) return false
  const file = { folder, name: nameOf(record.version) }
  if (!(await createFileOnce(file, formatRecord(key, record), 'durable'))) return false
  const names = await listFolder(folder)
  if (highestVersion(names) === record.version) {
    await removeOlder(folder, names, record.version)
    return true
  }
  // A faster process had removed the file of this name already, else it could not have been created.
  await removeFile(`${folder}/${file.name}`)
  return false
}

async function removeOlder(folder: string, names: readonly string[], version: number): Promise<void> {
  const older = names.filter((name) => (versionOf(name) ?? version) < version)
  await Promise.all(older.map((name) => removeFile(`${folder}/${name}`)))
  await removeAbandonedDrafts(folder, names)
}

function highestVersion(names: readonly string[]): number | undefined {
  const versions = names.flatMap((name) => versionOf(name) ?? [])
  return versions.length === 0 ? undefined : Math.max(...versions)
}

function versionOf(name: string): number | undefined {
  const digits = /^tokens\.(\d+)\.json$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function nameOf(version: number): string {
  return `tokens.${version}.json`
}
