import { nodeBuiltin } from '../runtime/node-builtins.ts'

/** A process as listed in /proc. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** Time of its start, in ticks since the boot. Together with the pid, it identifies the process. */
  readonly startedAt: number
  /** Value of the tag in its initial environment; empty if it has none or is not readable. */
  readonly tag: string
}

/** Environment variable that identifies a server's process after it left the group. */
export const TAG_NAME = 'TOOLBRIDGE_PROCESS_TAG'

/** Number of processes to read before yielding to the event loop, about a millisecond. */
const SLICE = 64

/** Larger than any status and almost any environment. */
const BUFFER_BYTES = 65_536

/** Flag of kernel threads, which have no environment; reading it would fail. */
const KERNEL_THREAD = 0x20_0000

/** On a machine with many short-lived processes no reading is complete; then this many must suffice. */
const MAX_PASSES = 4

/** Time to rely on the id of a process, in which the system does not give it to another one. */
const SAME_PROCESS_MS = 100

/** Time in which ids of processes are not used up, so that younger processes have larger ones until they begin again. */
const INCREASING_IDS_MS = 2_000

/** The default of Linux. Fewer ids may be used up sooner. */
const USUAL_IDS = 32_768

/** Whether the system has a process table. Some sandboxes run Linux programs without /proc. */
export function hasProcessTable(): boolean {
  return process.platform === 'linux' && nodeBuiltin('node:fs').existsSync('/proc/self/environ')
}

/**
 * Reads all visible processes (`all`), or those that started after this one (`younger`): no other belongs to a server of
 * this process.
 */
export class ProcessTable {
  readonly #scope: 'all' | 'younger'
  /** Ids of the processes that started before this one, so that a second reading is fast. */
  readonly #older = new Set<string>()
  #olderAt = 0
  #first: { readonly pid: number; readonly at: number } | undefined

  constructor(scope: 'all' | 'younger') {
    this.#scope = scope
  }

  /** Tells that a server was started. Only younger processes than the first server are read then, which is faster. */
  started(pid: number): void {
    this.#first ??= { pid, at: performance.now() }
  }

  /**
   * A process that ends between listing and reading may have started another one that was not listed yet, so they are
   * read again until no more end.
   */
  async read(): Promise<readonly ProcessEntry[]> {
    this.#forgetOlder()
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
    const since = this.#scope === 'all' ? 0 : startedAt(fieldsOf(readText('/proc/self/stat', buffer)))
    let known: ReadonlySet<string> = new Set()
    for (let passes = 1; ; passes++) {
      const { living, ended } = await this.#readOnce((pid) => readEntry(pid, since, buffer), buffer)
      if (passes === MAX_PASSES || [...ended].every((pid) => known.has(pid))) return living
      known = ended
    }
  }

  #forgetOlder(): void {
    const now = performance.now()
    if (now - this.#olderAt < SAME_PROCESS_MS) return
    this.#older.clear()
    this.#olderAt = now
  }

  async #readOnce(read: (pid: string) => Reading, buffer: Buffer): Promise<Pass> {
    const living: ProcessEntry[] = []
    const ended = new Set<string>()
    for (const [index, pid] of this.#unknown(buffer).entries()) {
      // Reading these files synchronously costs a tenth of reading them through the thread pool.
      const entry = read(pid)
      if (entry === 'ended') ended.add(pid)
      else if (entry === 'older') this.#older.add(pid)
      else living.push(entry)
      if (index % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
    }
    return { living, ended }
  }

  #unknown(buffer: Buffer): readonly string[] {
    const names = nodeBuiltin('node:fs').readdirSync('/proc')
    // After the listing, so that no listed process has a small id unless this finds it.
    const smallest = this.#smallestId(buffer)
    return names.filter((name) => /^\d+$/.test(name) && Number(name) >= smallest && !this.#older.has(name))
  }

  /** The smallest id that a process of a server can have; 0 if that is not known. */
  #smallestId(buffer: Buffer): number {
    if (this.#first === undefined || performance.now() - this.#first.at > INCREASING_IDS_MS) return 0
    const { pid } = this.#first
    const hasUsualIds = Number(readText('/proc/sys/kernel/pid_max', buffer)) >= USUAL_IDS
    return hasUsualIds && latestId(buffer) >= pid ? pid : 0
  }
}

/** Id of the process or thread that was started last; 0 if it is unknown. */
function latestId(buffer: Buffer): number {
  return Number(readText('/proc/loadavg', buffer).trimEnd().split(' ').at(-1)) || 0
}

interface Pass {
  readonly living: readonly ProcessEntry[]
  /** Ids of processes that ended between listing and reading. */
  readonly ended: ReadonlySet<string>
}

type Reading = ProcessEntry | 'ended' | 'older'

function readEntry(pid: string, since: number, buffer: Buffer): Reading {
  const fields = fieldsOf(readText(`/proc/${pid}/stat`, buffer))
  const [state = '', parent, group, session, , , flags] = fields
  const started = startedAt(fields)
  if (isDead(state)) return 'ended'
  if (started < since) return 'older'
  // Reading the environment of a process in uninterruptible sleep may block.
  const isReadable = state !== 'D' && (Number(flags) & KERNEL_THREAD) === 0
  const tag = isReadable ? tagIn(readText(`/proc/${pid}/environ`, buffer)) : ''
  const ids = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session) }
  return { ...ids, startedAt: started, tag }
}

/** `pid (name) state parent group session terminal its-group flags …` from the state on; the name may contain anything. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ', START_FIELD + 1)
}

/** Index of the last field that is needed. */
const START_FIELD = 19

/** Time of the start in ticks since the boot; not a number if it is unknown. */
function startedAt(fields: readonly string[]): number {
  return Number(fields[START_FIELD])
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
