import type { LocalProcesses } from './local-processes.ts'
import type { ProcessEntry } from './process-table.ts'
import { isTaggedBy, parseTag, type ServerTag } from './server-tag.ts'

/** A server process on this machine, whichever process started it. */
export interface RunningServer {
  /** Name of the server; undefined if it was started without one. */
  readonly name: string | undefined
  /** Id of the server's process, or of its oldest one that is left. */
  readonly pid: number
  /** Ids of all its processes. */
  readonly processes: readonly number[]
  readonly startedAt: Date
  /** The process that started the server. */
  readonly owner: ServerOwner
  /** Identifies the server: no other one has, or will have, the same. */
  readonly key: string
  /** Its process group and session. */
  readonly group: number
}

/** The process that started a server. */
interface ServerOwner {
  readonly pid: number
  readonly isRunning: boolean
  /** Its program and arguments; empty if it has ended. May contain secrets. */
  readonly commandLine: readonly string[]
}

/** Ticks per second in /proc on every Linux platform of Node. */
const TICKS_PER_SECOND = 100

/** The servers of all processes of this user, the oldest first. */
export async function runningServers(local: LocalProcesses): Promise<readonly RunningServer[]> {
  const table = await local.read()
  const servers = new Map<string, Tagged>()
  for (const each of taggedOnes(table, local)) {
    const known = servers.get(each.tag.key)
    if (known === undefined || isBefore(each, known)) servers.set(each.tag.key, each)
  }
  return [...servers.values()]
    .toSorted((one, other) => one.entry.startedAt - other.entry.startedAt || one.entry.pid - other.entry.pid)
    .map((server) => describe(server, table, local))
}

interface Tagged {
  readonly entry: ProcessEntry
  readonly tag: ServerTag
}

function taggedOnes(table: readonly ProcessEntry[], local: LocalProcesses): readonly Tagged[] {
  return table.flatMap((entry) => {
    const tag = parseTag(entry.tag)
    return tag === undefined || !local.isOwn(entry.pid) ? [] : [{ entry, tag }]
  })
}

function describe(
  { entry, tag: { name, key, owner } }: Tagged,
  table: readonly ProcessEntry[],
  local: LocalProcesses,
): RunningServer {
  const { pid, session } = entry
  // A process that got the owner's pid later started after the server did.
  const isOwnerRunning = table.some((each) => each.pid === owner && each.startedAt <= entry.startedAt)
  return {
    name,
    pid,
    processes: table.filter((each) => isTaggedBy(each.tag, key)).map((each) => each.pid),
    startedAt: startOf(entry, table),
    owner: {
      pid: owner,
      isRunning: isOwnerRunning,
      commandLine: isOwnerRunning ? local.commandLine(owner) : [],
    },
    key,
    group: session,
  }
}

/** Whether a process is rather the server itself: a child may start in the same tick. */
function isBefore(one: Tagged, other: Tagged): boolean {
  const older = one.entry.startedAt - other.entry.startedAt
  if (older !== 0) return older < 0
  return one.entry.parent === one.tag.owner && other.entry.parent !== other.tag.owner
}

/** Counted from this process: the time of the boot is another one in some containers. */
function startOf({ startedAt }: ProcessEntry, table: readonly ProcessEntry[]): Date {
  const self = table.find(({ pid }) => pid === process.pid)
  const seconds = ((self?.startedAt ?? startedAt) - startedAt) / TICKS_PER_SECOND + process.uptime()
  return new Date(Date.now() - seconds * 1_000)
}
