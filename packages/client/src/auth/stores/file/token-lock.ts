import { type LockHolder, type NumberedLock, tryNumberedLock } from '../../../files/numbered-lock.ts'
import { currentProcess } from '../../../files/process-identity.ts'
import { delay } from '../../../timing/delay.ts'
import { storageError } from './storage-error.ts'

/** How to wait for a lock. */
export type LockOptions = {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 40

/**
 * After this time a holder of unknown status counts as ended. No refresh takes as long, and if one did, the tokens would
 * still be safe: writes are guarded by the version of the record and not by the lock.
 */
const STALE_AFTER_MS = 5 * 60_000

/**
 * Waits until this process holds the lock of a folder, and resolves with the function that releases it. Rejects with
 * `storage_failed` on timeout, or with the reason of the signal.
 */
export async function acquireTokenLock(folder: string, options: LockOptions): Promise<() => Promise<void>> {
  const lock: NumberedLock = {
    folder,
    prefix: 'lease',
    release: 'rename',
    durability: 'volatile',
    staleAfterMs: STALE_AFTER_MS,
  }
  const self = await currentProcess()
  const deadline = performance.now() + options.timeoutMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const attempt = await tryNumberedLock(lock, self)
    if (attempt.kind === 'acquired') return attempt.release
    options.signal?.throwIfAborted()
    if (performance.now() > deadline) {
      throw lockTimeout(attempt.path, attempt.kind === 'held' ? attempt.holder : undefined, options.timeoutMs)
    }
    await delay(pauseMs * (0.5 + Math.random()), options.signal ?? new AbortController().signal)
  }
}

function lockTimeout(path: string, holder: LockHolder | undefined, timeoutMs: number): Error {
  const time = `for more than ${timeoutMs / 1_000} s`
  if (holder === undefined)
    return storageError(`too many processes have competed for ${path} ${time}`, 'try again')
  if (holder.kind === 'process' && holder.status === 'running') {
    return storageError(
      `process ${holder.pid} has held the lock on these tokens ${time}`,
      'try again; if that process hangs, stop it',
    )
  }
  return storageError(
    `the lock ${path} has been held ${time} by a process that cannot be seen from here`,
    `try again; it expires after ${STALE_AFTER_MS / 60_000} minutes, or at once if you delete it`,
  )
}
