import { nodeBuiltin } from '../../../runtime/node-builtins.ts'
import { hasErrorCode, withFileErrors, storageError } from './storage-error.ts'

const DRAFT = /^draft\.[0-9a-f]+$/

/** How old a draft is before nobody can be writing it any more. */
const ABANDONED_MS = 10 * 60_000

/** Makes a folder that only this user can enter, or rejects if there is one that others can. */
export async function privateFolder(path: string): Promise<void> {
  const { mkdir, stat } = nodeBuiltin('node:fs').promises
  await withFileErrors('use the folder', path, async () => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const { mode, uid } = await stat(path)
    const isOurs = process.geteuid === undefined || uid === process.geteuid()
    if (process.platform === 'win32' || (isOurs && (mode & 0o077) === 0)) return
    const fix = isOurs ? `run chmod 700 ${path}, or name a folder of its own` : 'name a folder of its own'
    const whose = isOurs
      ? `is open to others (mode ${(mode & 0o777).toString(8)})`
      : 'belongs to somebody else'
    throw storageError(`the folder ${path}, which is to hold tokens, ${whose}`, fix)
  })
}

/** The text of a file, or undefined if there is none. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  return withFileErrors('read', path, async () => {
    try {
      return await nodeBuiltin('node:fs').promises.readFile(path, 'utf8')
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined
      throw error
    }
  })
}

/** The names in a folder; none if there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return withFileErrors('list', folder, async () => {
    try {
      return await nodeBuiltin('node:fs').promises.readdir(folder)
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return []
      throw error
    }
  })
}

/** Removes a file; it does not matter if there is none. */
export async function removeFile(path: string): Promise<void> {
  await withFileErrors('remove', path, () => nodeBuiltin('node:fs').promises.rm(path, { force: true }))
}

/** Whether what is written must outlive a loss of power. */
export type Durability = 'durable' | 'passing'

/**
 * Creates a private file that appears whole or not at all, and for one caller only: false means that there was one
 * already.
 */
export async function createOnce(
  file: { readonly folder: string; readonly name: string },
  text: string,
  durability: Durability,
): Promise<boolean> {
  const path = `${file.folder}/${file.name}`
  return withFileErrors('write', path, () =>
    withDraft(file.folder, text, durability, async (draft) => {
      try {
        await nodeBuiltin('node:fs').promises.link(draft, path)
      } catch (error) {
        if (hasErrorCode(error, 'EEXIST')) return false
        throw hasErrorCode(error, ...NO_LINKS) ? withoutLinks(file.folder, error) : error
      }
      if (durability === 'durable') await syncFolder(file.folder)
      return true
    }),
  )
}

const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'] as const

function withoutLinks(folder: string, cause: unknown): Error {
  const fix = 'name a folder on another disk'
  return storageError(`the disk of ${folder} has no hard links, which keep processes apart`, fix, cause)
}

/** Puts a private file in place of the one that may be there; whoever reads finds one of the two, whole. */
export async function replaceFile(
  file: { readonly folder: string; readonly name: string },
  text: string,
): Promise<void> {
  const path = `${file.folder}/${file.name}`
  await withFileErrors('write', path, () =>
    withDraft(file.folder, text, 'durable', async (draft) => {
      await nodeBuiltin('node:fs').promises.rename(draft, path)
      await syncFolder(file.folder)
    }),
  )
}

/** Removes what writers left behind that died while writing. */
export async function sweepDrafts(folder: string, names: readonly string[]): Promise<void> {
  const { stat } = nodeBuiltin('node:fs').promises
  for (const name of names.filter((each) => DRAFT.test(each))) {
    const path = `${folder}/${name}`
    const status = await stat(path).catch(() => undefined)
    if (status !== undefined && Date.now() - status.mtimeMs > ABANDONED_MS) await removeFile(path)
  }
}

/** A name that no other process chooses. */
export function draftName(): string {
  return `draft.${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

async function withDraft<T>(
  folder: string,
  text: string,
  durability: Durability,
  use: (draft: string) => Promise<T>,
): Promise<T> {
  const { open, rm } = nodeBuiltin('node:fs').promises
  const draft = `${folder}/${draftName()}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      if (durability === 'durable') await handle.sync()
    } finally {
      await handle.close()
    }
    return await use(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows has no way to open a folder for this, and does not need it.
  if (process.platform === 'win32') return
  const handle = await nodeBuiltin('node:fs').promises.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
