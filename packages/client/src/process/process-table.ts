import { nodeBuiltin } from '../runtime/node-builtins.ts'

/** A process as Linux shows it. */
export interface ProcessEntry {
  readonly pid: number
  readonly group: number
  readonly session: number
  /** The value of the tag in the environment it was started with; empty if it has none or may not be looked at. */
  readonly tag: string
}

/** What one look at all processes showed, which takes a while. */
export interface ProcessTable {
  readonly living: readonly ProcessEntry[]
  /** Those that were listed but had ended when they were looked at: they may have started others in between. */
  readonly ended: ReadonlySet<string>
}

/** The variable by which a process that left its group is still known as a server's. */
export const TAG_NAME = 'TOOLBRIDGE_PROCESS_TAG'

/** How many processes are looked at before others get their turn: about a millisecond. */
const SLICE = 64

/** Larger than any status and almost any environment. */
const BUFFER_BYTES = 65_536

/** The kernel's own threads have no environment; asking for it costs an error each. */
const KERNEL_THREAD = 0x20_0000

/** Every process that this one may see. */
export async function readProcessTable(): Promise<ProcessTable> {
  const { readdirSync } = nodeBuiltin('node:fs')
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  const living: ProcessEntry[] = []
  const ended = new Set<string>()
  for (const [index, pid] of pids.entries()) {
    // Reading these files one by one in place costs a tenth of what it costs through the thread pool.
    const entry = readEntry(pid, buffer)
    if (entry === undefined) ended.add(pid)
    else living.push(entry)
    if (index % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { living, ended }
}

function readEntry(pid: string, buffer: Buffer): ProcessEntry | undefined {
  const stat = readText(`/proc/${pid}/stat`, buffer)
  // pid (name) state parent group session terminal its-group flags …; the name may hold blanks and parentheses.
  const [state = '', , group, session, , , flags] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (isDead(state)) return undefined
  // The environment of a process that is stuck in the kernel may not be readable until it is free.
  const isReadable = state !== 'D' && (Number(flags) & KERNEL_THREAD) === 0
  const tag = isReadable ? tagIn(readText(`/proc/${pid}/environ`, buffer)) : ''
  return { pid: Number(pid), group: Number(group), session: Number(session), tag }
}

/** Gone meanwhile, or dead but not yet taken away by its parent, which for an orphan in a container may never happen. */
function isDead(state: string): boolean {
  return state === '' || state === 'Z' || state === 'X'
}

/** Empty if it ended meanwhile, or belongs to somebody else. */
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
