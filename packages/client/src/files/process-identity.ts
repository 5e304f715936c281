import { isJsonObject, parseJson } from '../jsonrpc/json.ts'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { hasErrorCode } from './file-error.ts'

/** Identifies a process across reuse of its pid, reboots and containers. Members are empty where unknown. */
export type ProcessIdentity = {
  readonly pid: number
  /** Start time in kernel ticks since boot. */
  readonly startedAt: string
  /** The boot id of the kernel. */
  readonly boot: string
  readonly pidNamespace: string
  /** The hostname of the machine. */
  readonly host: string
}

/**
 * Whether a process runs. `pid_in_use`: a process has its pid, but the system does not say when it started. `unknown`:
 * it ran on another machine or in another container.
 */
export type ProcessStatus = 'running' | 'ended' | 'pid_in_use' | 'unknown'

/** The identity of this process. */
export async function currentProcess(): Promise<ProcessIdentity> {
  const { readFile, readlink } = nodeBuiltin('node:fs').promises
  const [stat, boot, pidNamespace] = await Promise.all([
    readStat(process.pid),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  const host = nodeBuiltin('node:os').hostname()
  return { pid: process.pid, startedAt: stat?.startedAt ?? '', boot: boot.trim(), pidNamespace, host }
}

/** Parses an identity that a process wrote as JSON; undefined if the text is not one. */
export function parseProcessIdentity(text: string): ProcessIdentity | undefined {
  const value = parseJson(text)
  if (!isJsonObject(value)) return undefined
  const { pid, startedAt, boot, pidNamespace, host } = value
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  if (typeof startedAt !== 'string' || typeof boot !== 'string') return undefined
  if (typeof pidNamespace !== 'string' || typeof host !== 'string') return undefined
  return { pid, startedAt, boot, pidNamespace, host }
}

/** The status of another process as seen from this one. `running` and `ended` are certain. */
export async function processStatus(other: ProcessIdentity, self: ProcessIdentity): Promise<ProcessStatus> {
  if (other.boot !== self.boot) return other.host === self.host ? 'ended' : 'unknown'
  if (self.boot === '' && other.host !== self.host) return 'unknown'
  if (other.pidNamespace !== self.pidNamespace) return 'unknown'
  if (!isPidInUse(other.pid)) return 'ended'
  const stat = await readStat(other.pid)
  if (stat === undefined) return 'pid_in_use'
  return stat.hasEnded || stat.startedAt !== other.startedAt ? 'ended' : 'running'
}

/** Whether a process of this machine, in this container, has the pid now. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH')
  }
}

/** Undefined where there is no /proc, or where it hides the processes of other users. */
async function readStat(
  pid: number,
): Promise<{ readonly startedAt: string; readonly hasEnded: boolean } | undefined> {
  const { readFile } = nodeBuiltin('node:fs').promises
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // proc_pid_stat(5): the second field is the program's name in parentheses, which may itself contain both.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  if (state === undefined || startedAt === undefined) return undefined
  return { startedAt, hasEnded: state === 'Z' || state === 'X' }
}
