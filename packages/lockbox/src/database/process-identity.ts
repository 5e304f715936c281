import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { hasCode } from '../has-code.ts'

/** Identifies a process across reboots and reused pids. Fields are empty where unknown. */
export type ProcessIdentity = {
  readonly pid: number
  /** Kernel ticks since boot. */
  readonly startedAt: string
  readonly boot: string
  readonly pidNamespace: string
  readonly host: string
}

/** Returns the identity of this process. */
export async function thisProcess(): Promise<ProcessIdentity> {
  const [status, boot, pidNamespace] = await Promise.all([
    readStatus(process.pid),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  return {
    pid: process.pid,
    startedAt: status?.startedAt ?? '',
    boot: boot.trim(),
    pidNamespace,
    host: hostname(),
  }
}

/** Parses an identity that another process wrote. Returns undefined if it is invalid. */
export function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, startedAt, boot, pidNamespace, host } = value as Partial<
    Record<keyof ProcessIdentity, unknown>
  >
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  if (typeof startedAt !== 'string' || typeof boot !== 'string') return undefined
  if (typeof pidNamespace !== 'string' || typeof host !== 'string') return undefined
  return { pid, startedAt, boot, pidNamespace, host }
}

/**
 * Returns `unknown` for a process on another machine or in another container, which `self` cannot see, and `gone` only if
 * the process has certainly ended.
 */
export async function lifeOf(
  other: ProcessIdentity,
  self: ProcessIdentity,
): Promise<'alive' | 'gone' | 'unknown'> {
  if (other.boot !== self.boot) return other.host === self.host ? 'gone' : 'unknown'
  if (self.boot === '' && other.host !== self.host) return 'unknown'
  if (other.pidNamespace !== self.pidNamespace) return 'unknown'
  if (!isTaken(other.pid)) return 'gone'
  const status = await readStatus(other.pid)
  if (status === undefined) return 'alive'
  return status.hasEnded || status.startedAt !== other.startedAt ? 'gone' : 'alive'
}

function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

/** Returns undefined where /proc does not exist or hides the processes of other users. */
async function readStatus(pid: number): Promise<{ startedAt: string; hasEnded: boolean } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // proc_pid_stat(5): the second field is the program's name in parentheses, and may contain blanks and parentheses.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  if (state === undefined || startedAt === undefined) return undefined
  return { startedAt, hasEnded: state === 'Z' || state === 'X' }
}
