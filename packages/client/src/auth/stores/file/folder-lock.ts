import { nodeBuiltin } from '../../../runtime/node-builtins.ts'
import { delay } from '../../../timing/delay.ts'
import { createOnce, namesIn, readIfPresent, removeFile } from './files.ts'
import { processStatus, type ProcessIdentity, parseIdentity, currentProcess } from './process-identity.ts'
import { hasErrorCode, withFileErrors, storageError } from './storage-error.ts'

/** How a lock is waited for. */
export type LockOptions = {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

type Holder =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'process'; readonly pid: number }
  /** It may have ended: it ran on another machine, say, or its file is damaged. */
  | { readonly kind: 'uncertain' }

const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 40

/**
 * After this time a holder about whom nothing can be found out is given up. No refresh takes as long, and if it did, the
 * tokens would still be safe: what is written to them rests on their version and not on the lock.
 */
const UNCERTAIN_MS = 5 * 60_000

/**
 * Waits until this process holds the folder, and resolves with what gives it up. A holder that died holds nothing.
 * Rejects with `storage_failed` when the time is up, or with the signal's reason.
 *
 * Lock files are numbered, and the highest number holds, until it is renamed to say that it is free. A taker creates
 * the next number, which the file system grants to one process only, and then removes the lower ones. The highest file
 * is never removed: a number is never used again, however long a taker slept since it looked.
 */
export async function takeLock(folder: string, waiting: LockOptions): Promise<() => Promise<void>> {
  const self = await currentProcess()
  const deadline = performance.now() + waiting.timeoutMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const { number, isFree } = highest(await namesIn(folder))
    const holder = isFree ? { kind: 'nobody' as const } : await readHolder(lockPath(folder, number), self)
    if (holder.kind === 'nobody' && (await claim(folder, number + 1, self))) {
      return () => release(folder, number + 1)
    }
    waiting.signal?.throwIfAborted()
    if (performance.now() > deadline) throw heldTooLong(lockPath(folder, number), holder, waiting.timeoutMs)
    await delay(pauseMs * (0.5 + Math.random()), waiting.signal ?? new AbortController().signal)
  }
}

async function claim(folder: string, number: number, self: ProcessIdentity): Promise<boolean> {
  const ours = { folder, name: `lease.${number}` }
  if (!(await createOnce(ours, JSON.stringify(self), 'passing'))) return false
  const names = await namesIn(folder)
  const { number: winner, isFree } = highest(names)
  if (winner !== number || isFree) {
    await removeFile(lockPath(folder, number))
    return false
  }
  const lower = names.filter((name) => (numberOf(name) ?? number) < number)
  await Promise.all(lower.map((name) => removeFile(`${folder}/${name}`)))
  return true
}

async function release(folder: string, number: number): Promise<void> {
  const path = lockPath(folder, number)
  await withFileErrors('release', path, async () => {
    try {
      await nodeBuiltin('node:fs').promises.rename(path, `${path}.free`)
    } catch (error) {
      // Whoever removes the folder of a lock has given it up.
      if (!hasErrorCode(error, 'ENOENT')) throw error
    }
  })
}

async function readHolder(path: string, self: ProcessIdentity): Promise<Holder> {
  const text = await readIfPresent(path)
  // Never taken, or just replaced by a higher number, which the claim will run into.
  if (text === undefined) return { kind: 'nobody' }
  const identity = parseIdentity(text)
  const life = identity === undefined ? 'unknown' : await processStatus(identity, self)
  if (identity !== undefined && life === 'alive') return { kind: 'process', pid: identity.pid }
  return life === 'gone' || (await isOld(path)) ? { kind: 'nobody' } : { kind: 'uncertain' }
}

async function isOld(path: string): Promise<boolean> {
  const status = await nodeBuiltin('node:fs')
    .promises.stat(path)
    .catch(() => undefined)
  return status !== undefined && Date.now() - status.mtimeMs > UNCERTAIN_MS
}

function highest(names: readonly string[]): { readonly number: number; readonly isFree: boolean } {
  const number = Math.max(0, ...names.map((name) => numberOf(name) ?? 0))
  return { number, isFree: names.includes(`lease.${number}.free`) }
}

function numberOf(name: string): number | undefined {
  const digits = /^lease\.(\d+)(?:\.free)?$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function lockPath(folder: string, number: number): string {
  return `${folder}/lease.${number}`
}

function heldTooLong(path: string, holder: Holder, timeoutMs: number): Error {
  const time = `for more than ${timeoutMs / 1_000} s`
  switch (holder.kind) {
    case 'nobody':
      return storageError(`too many processes have wanted ${path} ${time}`, 'try again')
    case 'process':
      return storageError(
        `process ${holder.pid} has held the lock on these tokens ${time}`,
        'try again; if that process hangs, stop it',
      )
    case 'uncertain':
      return storageError(
        `the lock ${path} has been held ${time} by a process that cannot be seen from here`,
        `try again; it is taken for free after ${UNCERTAIN_MS / 60_000} minutes, or at once if you delete it`,
      )
  }
}
