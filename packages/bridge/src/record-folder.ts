import { createHash, randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Issue } from './config/spec/issue.ts'
import { ConfigError } from './errors.ts'

/**
 * Records in a folder of their owner: one file for each, so that any number of processes may change them at once. A file
 * is there with all that it says or not at all, and one that others could have written counts for nothing.
 */
export interface RecordFolder {
  /** Undefined where nothing is kept. Rejects where that cannot be told: who must not go wrong then can say so. */
  read(key: string): Promise<unknown>
  write(key: string, record: object): Promise<void>
  remove(key: string): Promise<void>
  /** Those that can be read. */
  list(): Promise<readonly unknown[]>
}

/** Opens nothing: the folder is made when something is first kept. */
export function recordFolder(folder: string): RecordFolder {
  const fileOf = (key: string): string =>
    join(folder, `${createHash('sha256').update(key).digest('hex')}.json`)
  return {
    read: (key) => readRecord(folder, fileOf(key)),
    write: (key, record) => writeRecord(folder, fileOf(key), record),
    remove: (key) => rm(fileOf(key), { force: true }),
    list: async () => {
      const names = await readdir(folder).catch(() => [])
      const files = names
        .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
        .map((name) => join(folder, name))
      const records = await Promise.all(files.map((file) => readRecord(folder, file).catch(() => undefined)))
      return records.filter((record) => record !== undefined)
    },
  }
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants

/** Undefined for a record that is not there; rejects for one that cannot be read, or that others could have written. */
async function readRecord(folder: string, file: string): Promise<unknown> {
  try {
    await requireOwn(folder)
    // Neither a link nor a pipe, which would lead elsewhere or wait for ever. Windows has no such flags.
    await using handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    requireOwnFile(file, await handle.stat())
    return JSON.parse(await handle.readFile('utf8'))
  } catch (error) {
    if (isNotThere(error)) return undefined
    throw new Error(`the record ${file} cannot be used: ${reasonOf(error)}`, { cause: error })
  }
}

async function requireOwn(folder: string): Promise<void> {
  if (!isOwn(await stat(folder)))
    throw new Error(`others can change what is in ${folder}; make it its owner's alone`)
}

function requireOwnFile(file: string, found: Stats): void {
  if (!found.isFile() || !isOwn(found)) throw new Error(`others could have written ${file}; delete it`)
}

/** Windows keeps no such bits; there the folder lies in the person's own profile. */
function isOwn({ mode, uid }: Stats): boolean {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & 0o022) === 0)
}

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Rejects with a `ConfigError` that says why nothing was kept. */
async function writeRecord(folder: string, file: string, record: object): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await requireOwn(folder)
    await replaceFile(file, `${JSON.stringify(record)}\n`)
  } catch (error) {
    throw ConfigError.of([unkept(folder, error)])
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    await chmod(draft, 0o600)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

function unkept(folder: string, error: unknown): Issue {
  return {
    code: 'record_not_kept',
    severity: 'error',
    file: folder,
    path: '',
    message: `nothing can be kept in ${folder}: ${reasonOf(error)}`,
    fix: 'make room there, or let the folder be yours and be written',
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
