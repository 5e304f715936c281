import { isJsonObject } from '../../../jsonrpc/json.ts'
import { nodeBuiltin } from '../../../runtime/node-builtins.ts'
import { hasErrorCode } from './storage-error.ts'

/** What tells one process from every other, before and after it: a pid alone is used again. Empty where unknown. */
export type ProcessIdentity = {
  readonly pid: number
  /** In the kernel's ticks since boot. */
  readonly startedAt: string
  readonly boot: string
  readonly pidNamespace: string
  readonly host: string
}

/** The calling process. */
export async function currentProcess(): Promise<ProcessIdentity> {
  const { readFile, readlink } = nodeBuiltin('node:fs').promises
  const [status, boot, pidNamespace] = await Promise.all([
    readStatus(process.pid),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  const host = nodeBuiltin('node:os').hostname()
  return { pid: process.pid, startedAt: status?.startedAt ?? '', boot: boot.trim(), pidNamespace, host }
}

/** Reads an identity that another process wrote; undefined when it is none. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const value = parsed(text)
  if (!isJsonObject(value)) return undefined
  const { pid, startedAt, boot, pidNamespace, host } = value
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  if (typeof startedAt !== 'string' || typeof boot !== 'string') return undefined
  if (typeof pidNamespace !== 'string' || typeof host !== 'string') return undefined
  return { pid, startedAt, boot, pidNamespace, host }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * `gone` or `alive` only when the process surely is; `unknown` when it ran where `self` cannot look, or when the system
 * does not say since when the process runs that has its number now.
 */
export async function processStatus(
  other: ProcessIdentity,
  self: ProcessIdentity,
): Promise<'alive' | 'gone' | 'unknown'> {
  if (other.boot !== self.boot) return other.host === self.host ? 'gone' : 'unknown'
  if (self.boot === '' && other.host !== self.host) return 'unknown'
  if (other.pidNamespace !== self.pidNamespace) return 'unknown'
  if (!isTaken(other.pid)) return 'gone'
  const status = await readStatus(other.pid)
  if (status === undefined) return 'unknown'
  return status.hasEnded || status.startedAt !== other.startedAt ? 'gone' : 'alive'
}

function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH')
  }
}

/** Undefined where there is no /proc, or where it hides the processes of others. */
async function readStatus(
  pid: number,
): Promise<{ readonly startedAt: string; readonly hasEnded: boolean } | undefined> {
  const { readFile } = nodeBuiltin('node:fs').promises
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // proc_pid_stat(5): the second field is the program's name in parentheses, and may itself hold blanks and parentheses.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  if (state === undefined || startedAt === undefined) return undefined
  return { startedAt, hasEnded: state === 'Z' || state === 'X' }
}
