import { currentProcess, type LockHolder, tryNumberedLock } from '@toolbridge/client/internal'
import { LockboxError } from '../errors.ts'

/** Locks a folder for this process until `release()` or the end of the process. */
export interface FolderLock {
  release(): Promise<void>
}

const ATTEMPTS = 20

/**
 * Acquires the lock of a folder, or rejects with `lockbox_in_use`. Never waits, and never takes over a lock whose holder
 * may still run: two processes that write the same database would destroy it.
 */
export async function takeFolderLock(folder: string): Promise<FolderLock> {
  const lock = { folder, prefix: 'lock', release: 'rewrite', durability: 'durable' } as const
  const self = await currentProcess()
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = await tryNumberedLock(lock, self)
    if (result.kind === 'acquired') return { release: result.release }
    if (result.kind === 'held') throw inUse(folder, result.path, result.holder)
  }
  throw new LockboxError('lockbox_in_use', `too many processes are opening ${folder} at once; try again`)
}

function inUse(folder: string, file: string, holder: LockHolder): LockboxError {
  const isHere = holder.kind === 'process' && holder.status !== 'unknown'
  const remedy = isHere ? '' : `; if no process has the lockbox open, delete ${file}`
  return new LockboxError('lockbox_in_use', problemOf(folder, file, holder) + remedy, {
    data: { folder, file, pid: holder.kind === 'process' ? holder.pid : undefined },
  })
}

function problemOf(folder: string, file: string, holder: LockHolder): string {
  if (holder.kind === 'unreadable')
    return `the lockbox in ${folder} is locked by ${file}, which cannot be read`
  const where =
    holder.status === 'unknown' ? 'a process on another machine or in another container, with pid' : 'process'
  return `the lockbox in ${folder} is open in ${where} ${holder.pid}; stop that process, or use the gateway it runs`
}
