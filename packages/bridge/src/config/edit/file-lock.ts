import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createFileOnce, isJsonObject, isPidInUse } from '@toolbridge/client/internal'
import { ConfigError } from '../../errors.ts'

const patienceMs = 10_000
const pauseMs = 20
/** Longer than any edit takes: a lock of this age whose holder is unknown was abandoned. */
const staleMs = 60_000

/**
 * Waits until no other process edits a file and locks it until the result is disposed of. The lock of a process that
 * ended is taken over. Throws a `ConfigError` on timeout.
 *
 * The lock file is removed on release, unlike the numbered locks of `@toolbridge/client/internal`: it is in a folder of
 * the user's, where nothing may be left behind.
 */
export async function lockFile(file: string, signal: AbortSignal | undefined): Promise<AsyncDisposable> {
  const lock = join(dirname(file), `.${basename(file)}.lock`)
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() })
  const giveUpAt = Date.now() + patienceMs
  while (!(await isTaken(lock, own))) {
    if (Date.now() > giveUpAt) throw busy(file, lock)
    await removeStale(lock)
    await wait(pauseMs * (0.5 + Math.random()), undefined, signal === undefined ? {} : { signal })
  }
  return { [Symbol.asyncDispose]: () => release(lock, own) }
}

async function isTaken(lock: string, own: string): Promise<boolean> {
  return createFileOnce({ folder: dirname(lock), name: basename(lock) }, own, 'volatile')
}

/** Moves the lock aside before checking it again: of several processes that find it stale, one removes it. */
async function removeStale(lock: string): Promise<void> {
  const seen = await readFile(lock, 'utf8').catch(() => undefined)
  if (seen === undefined || !(await isStale(lock, seen))) return
  const aside = `${lock}.${randomUUID()}`
  const isMoved = await rename(lock, aside).then(
    () => true,
    () => false,
  )
  if (!isMoved) return
  const moved = await readFile(aside, 'utf8').catch(() => seen)
  if (moved !== seen) await link(aside, lock).catch(() => undefined)
  await rm(aside, { force: true })
}

async function isStale(lock: string, seen: string): Promise<boolean> {
  const { pid, host } = holderOf(seen)
  if (pid !== undefined && host === hostname()) return !isPidInUse(pid)
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
  return Date.now() - mtimeMs > staleMs
}

function holderOf(text: string): { readonly pid?: number; readonly host?: unknown } {
  try {
    const holder: unknown = JSON.parse(text)
    if (!isJsonObject(holder) || typeof holder['pid'] !== 'number') return {}
    return { pid: holder['pid'], host: holder['host'] }
  } catch {
    return {}
  }
}

async function release(lock: string, own: string): Promise<void> {
  const held = await readFile(lock, 'utf8').catch(() => undefined)
  if (held === own) await rm(lock, { force: true })
}

function busy(file: string, lock: string): ConfigError {
  return ConfigError.of([
    {
      code: 'edit_conflict',
      severity: 'error',
      file,
      path: '',
      message: 'another process is editing the file; it was not modified',
      fix: `try again; if nothing runs, remove ${lock}`,
    },
  ])
}
