import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ConfigError } from '../../errors.ts'
import { isRecord } from '../../record.ts'

const patienceMs = 10_000
const pauseMs = 20
/** Longer than any edit takes: whoever left a lock that long ago without saying who they are is gone. */
const staleMs = 60_000

/**
 * Waits until no other process edits a file, and keeps others waiting until it is disposed of. The lock of a process that
 * is gone is taken over. Throws a `ConfigError` when somebody holds it for longer than an edit takes.
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

/** The lock appears with all that it says, so that nobody takes a half-written one for that of nobody. */
async function isTaken(lock: string, own: string): Promise<boolean> {
  const draft = `${lock}.${randomUUID()}`
  try {
    await writeFile(draft, own, { flag: 'wx', mode: 0o600 })
    await link(draft, lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Moved aside before it is looked at again: of several who find it stale, one takes it away, and only the stale one. */
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
  if (pid !== undefined && host === hostname()) return !isAlive(pid)
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
  return Date.now() - mtimeMs > staleMs
}

function holderOf(text: string): { readonly pid?: number; readonly host?: unknown } {
  try {
    const holder: unknown = JSON.parse(text)
    if (!isRecord(holder) || typeof holder['pid'] !== 'number') return {}
    return { pid: holder['pid'], host: holder['host'] }
  } catch {
    return {}
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
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
      message: 'another process has been editing the file for a while, so it was left alone',
      fix: `try again; if nothing runs, remove ${lock}`,
    },
  ])
}
