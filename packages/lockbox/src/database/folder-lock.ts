import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOnce } from '../create-once.ts'
import { LockboxError } from '../errors.ts'
import { hasCode } from '../has-code.ts'
import { lifeOf, type ProcessIdentity, parseIdentity, thisProcess } from './process-identity.ts'

/** Locks a folder for this process until `release()` or the end of the process. */
export interface FolderLock {
  release(): Promise<void>
}

type Holder =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'process'; readonly identity: ProcessIdentity }
  | { readonly kind: 'unreadable' }

const RELEASED = 'released'
const ATTEMPTS = 20

/**
 * Locks the folder, or rejects with `lockbox_in_use`.
 *
 * Lock files are numbered, and the highest number counts. A process creates the next number, which the file system
 * grants once, and then removes the lower ones. The highest file is never removed; on release its text changes
 * instead. So a number is never reused, however long a process was suspended between reading and creating.
 */
export async function takeFolderLock(folder: string): Promise<FolderLock> {
  const self = await thisProcess()
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const highest = await highestNumber(folder)
    await refuseLiving(folder, highest, self)
    const number = highest + 1
    if (await claim(folder, number, self)) return { release: () => release(folder, number) }
  }
  throw new LockboxError('lockbox_in_use', `too many processes are opening ${folder} at once; try again`)
}

async function claim(folder: string, number: number, self: ProcessIdentity): Promise<boolean> {
  if (!(await createOnce(lockFile(folder, number), JSON.stringify(self)))) return false
  const numbers = await lockNumbers(folder)
  if (numbers.some((other) => other > number)) {
    await rm(lockFile(folder, number), { force: true })
    return false
  }
  const lower = numbers.filter((other) => other < number)
  await Promise.all(lower.map((other) => rm(lockFile(folder, other), { force: true })))
  return true
}

async function release(folder: string, number: number): Promise<void> {
  const draft = join(folder, `released-${randomBytes(6).toString('hex')}`)
  await writeFile(draft, RELEASED, { mode: 0o600 })
  await rename(draft, lockFile(folder, number))
}

async function refuseLiving(folder: string, number: number, self: ProcessIdentity): Promise<void> {
  const holder = await readHolder(lockFile(folder, number))
  if (holder.kind === 'nobody') return
  if (holder.kind === 'unreadable') throw inUse(folder, number)
  const life = await lifeOf(holder.identity, self)
  if (life === 'gone') return
  throw inUse(folder, number, { pid: holder.identity.pid, isHere: life === 'alive' })
}

async function readHolder(file: string): Promise<Holder> {
  try {
    return parseHolder(await readFile(file, 'utf8'))
  } catch (error) {
    // Never locked, or just replaced by a higher number, which the claim will detect.
    if (hasCode(error, 'ENOENT')) return { kind: 'nobody' }
    throw error
  }
}

function parseHolder(text: string): Holder {
  if (text === RELEASED) return { kind: 'nobody' }
  try {
    const identity = parseIdentity(JSON.parse(text))
    return identity ? { kind: 'process', identity } : { kind: 'unreadable' }
  } catch {
    return { kind: 'unreadable' }
  }
}

async function highestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)))
}

async function lockNumbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => /^lock\.(\d+)$/.exec(name)?.slice(1).map(Number) ?? [])
}

function lockFile(folder: string, number: number): string {
  return join(folder, `lock.${number}`)
}

function inUse(folder: string, number: number, holder?: { pid: number; isHere: boolean }): LockboxError {
  const file = lockFile(folder, number)
  const described = holder?.isHere
    ? 'process'
    : 'a process on another machine or in another container, with pid'
  const message = holder
    ? `the lockbox in ${folder} is open in ${described} ${holder.pid}; stop that process, or use the gateway it runs`
    : `the lockbox in ${folder} is locked by ${file}, which cannot be read`
  const remedy = holder?.isHere ? '' : `; if no process has the lockbox open, delete ${file}`
  return new LockboxError('lockbox_in_use', message + remedy, { data: { folder, file, pid: holder?.pid } })
}
