import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Records in a folder of their owner: one file for each, so that any number of processes may change them at once. A file
 * is there with all that it says or not at all, and one that others could have written counts for nothing.
 */
export interface RecordFolder {
  read(key: string): Promise<unknown>
  write(key: string, record: object): Promise<void>
  remove(key: string): Promise<void>
  list(): Promise<readonly unknown[]>
}

/** Opens nothing: the folder is made when something is first kept. */
export function recordFolder(folder: string): RecordFolder {
  const fileOf = (key: string): string =>
    join(folder, `${createHash('sha256').update(key).digest('hex')}.json`)
  return {
    read: (key) => readRecord(fileOf(key)),
    write: (key, record) => writeRecord(folder, fileOf(key), record),
    remove: (key) => rm(fileOf(key), { force: true }),
    list: async () => {
      const names = await readdir(folder).catch(() => [])
      const files = names.filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
      const records = await Promise.all(files.map((name) => readRecord(join(folder, name))))
      return records.filter((record) => record !== undefined)
    },
  }
}

/** Undefined for a record that is not there, is not its owner's alone, or cannot be read. */
async function readRecord(file: string): Promise<unknown> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() !== true || !isOwn(found)) return undefined
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Windows keeps no such bits; there the folder lies in the person's own profile. */
function isOwn({ mode, uid }: { readonly mode: number; readonly uid: number }): boolean {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & 0o022) === 0)
}

async function writeRecord(folder: string, file: string, record: object): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: 'wx' })
    await chmod(draft, 0o600)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
