import { nodeBuiltin } from '../runtime/node-builtins.ts'

/** A process as listed in /proc. */
export interface ProcessEntry {
  readonly pid: number
  readonly group: number
  readonly session: number
  /** Value of the tag in its initial environment; empty if it has none or is not readable. */
  readonly tag: string
}

/** The result of one reading of all processes, which is not atomic. */
export interface ProcessTable {
  readonly living: readonly ProcessEntry[]
  /** Ids of processes that ended between listing and reading. They may have started others meanwhile. */
  readonly ended: ReadonlySet<string>
}

/** Environment variable that identifies a server's process after it left the group. */
export const TAG_NAME = 'TOOLBRIDGE_PROCESS_TAG'

/** Number of processes to read before yielding to the event loop, about a millisecond. */
const SLICE = 64

/** Larger than any status and almost any environment. */
const BUFFER_BYTES = 65_536

/** Flag of kernel threads, which have no environment; reading it would fail. */
const KERNEL_THREAD = 0x20_0000

/** Reads all processes that are visible to this one. */
export async function readProcessTable(): Promise<ProcessTable> {
  const { readdirSync } = nodeBuiltin('node:fs')
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  const since = startedAt(fieldsOf(readText('/proc/self/stat', buffer)))
  const living: ProcessEntry[] = []
  const ended = new Set<string>()
  for (const [index, pid] of pids.entries()) {
    // Reading these files synchronously costs a tenth of reading them through the thread pool.
    const entry = readEntry(pid, since, buffer)
    if (entry === undefined) ended.add(pid)
    else living.push(entry)
    if (index % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { living, ended }
}

/** A process that started before `since` was not started by a server: its environment is not read. */
function readEntry(pid: string, since: number, buffer: Buffer): ProcessEntry | undefined {
  const fields = fieldsOf(readText(`/proc/${pid}/stat`, buffer))
  const [state = '', , group, session, , , flags] = fields
  if (isDead(state)) return undefined
  // Reading the environment of a process in uninterruptible sleep may block.
  const isReadable = state !== 'D' && (Number(flags) & KERNEL_THREAD) === 0
  const mayHaveTag = isReadable && !(startedAt(fields) < since)
  const tag = mayHaveTag ? tagIn(readText(`/proc/${pid}/environ`, buffer)) : ''
  return { pid: Number(pid), group: Number(group), session: Number(session), tag }
}

/** `pid (name) state parent group session terminal its-group flags …` from the state on; the name may contain anything. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Time of the start in ticks since the boot; not a number if it is unknown. */
function startedAt(fields: readonly string[]): number {
  return Number(fields[19])
}

/** Ended meanwhile, or a zombie, which in a container may never be reaped. */
function isDead(state: string): boolean {
  return state === '' || state === 'Z' || state === 'X'
}

/** Empty if the process ended meanwhile or belongs to another user. */
function readText(path: string, buffer: Buffer): string {
  const { openSync, closeSync } = nodeBuiltin('node:fs')
  try {
    const file = openSync(path, 'r')
    try {
      return readToEnd(file, buffer)
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

function readToEnd(file: number, buffer: Buffer): string {
  const { readSync } = nodeBuiltin('node:fs')
  for (let text = ''; ; ) {
    const count = readSync(file, buffer, 0, buffer.length, null)
    text += buffer.toString('latin1', 0, count)
    if (count < buffer.length) return text
  }
}

function tagIn(environment: string): string {
  const start = environment.indexOf(`${TAG_NAME}=`)
  if (start === -1) return ''
  const end = environment.indexOf('\0', start)
  return environment.slice(start + TAG_NAME.length + 1, end === -1 ? undefined : end)
}
