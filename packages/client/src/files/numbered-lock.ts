import { nodeBuiltin } from '../runtime/node-builtins.ts'
import {
  createFileOnce,
  type Durability,
  listFolder,
  moveFile,
  readFileIfExists,
  removeFile,
  replaceFile,
} from './private-files.ts'
import { type ProcessIdentity, parseProcessIdentity, processStatus } from './process-identity.ts'

/** The folder and file format of a lock. */
export interface NumberedLock {
  readonly folder: string
  /** Lock files are named `<prefix>.<number>`. */
  readonly prefix: string
  /** A released lock file is renamed to `<prefix>.<number>.free`, or its text is replaced by `released`. */
  readonly release: 'rename' | 'rewrite'
  readonly durability: Durability
  /** Age of a lock file after which a holder of unknown status counts as ended. Default: never. */
  readonly staleAfterMs?: number
}

/** The process that holds a lock. `unreadable`: its file does not say which. */
export type LockHolder =
  | { readonly kind: 'process'; readonly pid: number; readonly status: 'running' | 'pid_in_use' | 'unknown' }
  | { readonly kind: 'unreadable' }

/** The result of one attempt. `contended`: another process acquired the lock at the same time. */
export type LockAttempt =
  | { readonly kind: 'acquired'; readonly release: () => Promise<void> }
  | { readonly kind: 'held'; readonly path: string; readonly holder: LockHolder }
  | { readonly kind: 'contended'; readonly path: string }

const RELEASED = 'released'

/**
 * Tries once to acquire a lock that one process holds at a time. The lock of a process that ended is free.
 *
 * Lock files are numbered, and the highest number holds until it is marked as released. A process creates the next
 * number, which the file system grants to one process only, and then removes the lower ones. The highest file is never
 * removed, so no number is used twice, however long a process slept since it listed the folder.
 */
export async function tryNumberedLock(lock: NumberedLock, self: ProcessIdentity): Promise<LockAttempt> {
  const { number, isFree } = highest(lock, await listFolder(lock.folder))
  const path = pathOf(lock, number)
  const holder = isFree ? undefined : await readHolder(lock, path, self)
  if (holder !== undefined) return { kind: 'held', path, holder }
  if (!(await claim(lock, number + 1, self))) return { kind: 'contended', path }
  return { kind: 'acquired', release: () => release(lock, number + 1) }
}

async function claim(lock: NumberedLock, number: number, self: ProcessIdentity): Promise<boolean> {
  const { folder, prefix, durability } = lock
  const ours = { folder, name: `${prefix}.${number}` }
  if (!(await createFileOnce(ours, JSON.stringify(self), durability))) return false
  const names = await listFolder(folder)
  const { number: winner, isFree } = highest(lock, names)
  if (winner !== number || isFree) {
    await removeFile(pathOf(lock, number))
    return false
  }
  const lower = names.filter((name) => (numberOf(lock, name) ?? number) < number)
  await Promise.all(lower.map((name) => removeFile(`${folder}/${name}`)))
  return true
}

async function release(lock: NumberedLock, number: number): Promise<void> {
  const path = pathOf(lock, number)
  if (lock.release === 'rewrite') {
    await replaceFile({ folder: lock.folder, name: `${lock.prefix}.${number}` }, RELEASED, 'volatile')
  } else {
    // False if the folder of the lock was removed, which releases it as well.
    await moveFile(path, `${path}.free`)
  }
}

/** Undefined if the lock is free. */
async function readHolder(
  lock: NumberedLock,
  path: string,
  self: ProcessIdentity,
): Promise<LockHolder | undefined> {
  const text = await readFileIfExists(path)
  // Missing: never taken, or just replaced by a higher number, which makes the claim fail.
  if (text === undefined || (lock.release === 'rewrite' && text === RELEASED)) return undefined
  const identity = parseProcessIdentity(text)
  const status = identity === undefined ? undefined : await processStatus(identity, self)
  if (status === 'ended') return undefined
  if (status !== 'running' && (await isStale(lock, path))) return undefined
  if (identity === undefined || status === undefined) return { kind: 'unreadable' }
  return { kind: 'process', pid: identity.pid, status }
}

async function isStale({ staleAfterMs }: NumberedLock, path: string): Promise<boolean> {
  if (staleAfterMs === undefined) return false
  const { stat } = nodeBuiltin('node:fs').promises
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > staleAfterMs
}

function highest(
  lock: NumberedLock,
  names: readonly string[],
): { readonly number: number; readonly isFree: boolean } {
  const number = Math.max(0, ...names.map((name) => numberOf(lock, name) ?? 0))
  return { number, isFree: names.includes(`${lock.prefix}.${number}.free`) }
}

/** The number in `lease.7` or `lease.7.free`. */
function numberOf({ prefix, release }: NumberedLock, name: string): number | undefined {
  if (!name.startsWith(`${prefix}.`)) return undefined
  const pattern = release === 'rename' ? /^(\d+)(?:\.free)?$/ : /^(\d+)$/
  const digits = pattern.exec(name.slice(prefix.length + 1))?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function pathOf({ folder, prefix }: NumberedLock, number: number): string {
  return `${folder}/${prefix}.${number}`
}
