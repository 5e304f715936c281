import type { Stats } from 'node:fs'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { FileError, hasErrorCode, withFileErrors } from './file-error.ts'

const DRAFT = /^draft\.[0-9a-f]+$/

/** The age at which a draft is certainly not being written any more. */
const ABANDONED_MS = 10 * 60_000

/** Access that a folder or file may give to other users: `none`, or `read`. */
export type OthersAccess = 'none' | 'read'

/** Whether a file or folder belongs to this user and gives others no more than this access. Always true on Windows. */
export function isOwn({ mode, uid }: Stats, others: OthersAccess): boolean {
  if (process.platform === 'win32') return true
  const forbidden = others === 'none' ? 0o077 : 0o022
  return isOurs(uid) && (mode & forbidden) === 0
}

function isOurs(uid: number): boolean {
  return process.geteuid === undefined || uid === process.geteuid()
}

/** Creates a folder that only this user can enter; rejects if it exists and other users have access. */
export async function ensurePrivateFolder(path: string): Promise<void> {
  const { mkdir, stat } = nodeBuiltin('node:fs').promises
  await withFileErrors('use the folder', path, async () => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const found = await stat(path)
    if (!isOwn(found, 'none')) throw notPrivate(path, found)
  })
}

function notPrivate(path: string, { mode, uid }: Stats): FileError {
  if (!isOurs(uid))
    return new FileError(`the folder ${path} belongs to another user`, 'choose a folder of this user')
  return new FileError(
    `the folder ${path} is accessible to other users (mode ${(mode & 0o777).toString(8)})`,
    `run chmod 700 ${path}, or choose a dedicated folder`,
  )
}

/** The text of a file; undefined if there is none. */
export async function readFileIfExists(path: string): Promise<string | undefined> {
  return withFileErrors('read', path, () =>
    unlessMissing(nodeBuiltin('node:fs').promises.readFile(path, 'utf8'), undefined),
  )
}

/** The names in a folder; none if there is no such folder. */
export async function listFolder(folder: string): Promise<readonly string[]> {
  return withFileErrors('list', folder, () =>
    unlessMissing(nodeBuiltin('node:fs').promises.readdir(folder), []),
  )
}

/** Removes a file if it exists. */
export async function removeFile(path: string): Promise<void> {
  await withFileErrors('remove', path, () => nodeBuiltin('node:fs').promises.rm(path, { force: true }))
}

/** Moves a file; false if it does not exist. */
export async function moveFile(from: string, to: string): Promise<boolean> {
  const moving = async (): Promise<boolean> => {
    await nodeBuiltin('node:fs').promises.rename(from, to)
    return true
  }
  return withFileErrors('move', from, () => unlessMissing(moving(), false))
}

async function unlessMissing<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return otherwise
    throw error
  }
}

/** Whether a written file must survive a power failure. */
export type Durability = 'durable' | 'volatile'

/** A file by its folder and name. */
export interface FileLocation {
  readonly folder: string
  readonly name: string
}

/** Creates a private file atomically, for one caller only: false if it exists already. */
export async function createFileOnce(
  { folder, name }: FileLocation,
  text: string,
  durability: Durability,
): Promise<boolean> {
  const path = `${folder}/${name}`
  return withFileErrors('write', path, () =>
    withDraft(folder, text, durability, async (draft) => {
      try {
        await nodeBuiltin('node:fs').promises.link(draft, path)
      } catch (error) {
        if (hasErrorCode(error, 'EEXIST')) return false
        throw hasErrorCode(error, ...NO_LINKS) ? noHardLinks(folder, error) : error
      }
      if (durability === 'durable') await syncFolder(folder)
      return true
    }),
  )
}

const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'] as const

function noHardLinks(folder: string, cause: unknown): FileError {
  return new FileError(
    `the file system of ${folder} has no hard links, which locking needs`,
    'choose a folder on another disk',
    cause,
  )
}

/** Writes a private file atomically: a reader sees either the old text or the new one. */
export async function replaceFile(
  { folder, name }: FileLocation,
  text: string,
  durability: Durability,
): Promise<void> {
  const path = `${folder}/${name}`
  await withFileErrors('write', path, () =>
    withDraft(folder, text, durability, async (draft) => {
      await nodeBuiltin('node:fs').promises.rename(draft, path)
      if (durability === 'durable') await syncFolder(folder)
    }),
  )
}

/** Removes the drafts of processes that died while writing. */
export async function removeAbandonedDrafts(folder: string, names: readonly string[]): Promise<void> {
  const { stat } = nodeBuiltin('node:fs').promises
  for (const name of names.filter((each) => DRAFT.test(each))) {
    const path = `${folder}/${name}`
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS) await removeFile(path)
  }
}

/** A unique name for a temporary file; {@link removeAbandonedDrafts} cleans it up if this process dies. */
export function draftName(): string {
  return `draft.${nodeBuiltin('node:crypto').randomBytes(12).toString('hex')}`
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
  // Windows cannot open a folder for this, and does not need it.
  if (process.platform === 'win32') return
  const handle = await nodeBuiltin('node:fs').promises.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
