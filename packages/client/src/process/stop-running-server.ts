import type { LocalProcesses } from './local-processes.ts'
import type { ProcessEntry } from './process-table.ts'
import { type ProcessTree, stopTree } from './process-tree.ts'
import type { RunningServer } from './running-servers.ts'
import { isTaggedBy } from './server-tag.ts'

/** What became of a server. */
interface StoppedServer {
  /** Whether it was still running when it was to be stopped. */
  readonly wasRunning: boolean
  /** Ids of processes that could not be stopped. */
  readonly survivors: readonly number[]
}

/** Time from SIGTERM to SIGKILL, as that of a server's transport. */
const TERM_MS = 2_500

/**
 * Stops a server that another process started, with all processes of its tree: SIGTERM, then SIGKILL. Its input belongs to
 * its owner, so it is not closed first.
 */
export async function stopRunningServer(
  server: RunningServer,
  local: LocalProcesses,
  termMs: number = TERM_MS,
): Promise<StoppedServer> {
  const tree = identifiedTree(server, local)
  if ((await tree.living()).length === 0) return { wasRunning: false, survivors: [] }
  const stoppable = { tree, child: { stdin: { end: ignore } }, whenExited: async () => undefined }
  const survivors = await stopTree(stoppable, { closeStdin: false, graceMs: 0, termMs })
  return { wasRunning: true, survivors }
}

/**
 * The processes with the server's tag, and those in its group or session. Its pid may be another process's by now, so the
 * group counts only while a process in it is known to be the server's: until then the system does not reuse its id.
 */
function identifiedTree({ key, group }: RunningServer, local: LocalProcesses): ProcessTree {
  const isInGroup = (entry: ProcessEntry): boolean => entry.group === group || entry.session === group
  let known: ReadonlyMap<number, number> = new Map()
  const find = async (): Promise<readonly ProcessEntry[]> => {
    const table = await local.read()
    const isCertain = ({ pid, startedAt, tag }: ProcessEntry): boolean =>
      isTaggedBy(tag, key) || known.get(pid) === startedAt
    const isOwnGroup = table.some((entry) => isInGroup(entry) && isCertain(entry))
    const found = table.filter((entry) => isCertain(entry) || (isOwnGroup && isInGroup(entry)))
    known = new Map(found.map(({ pid, startedAt }) => [pid, startedAt]))
    return found
  }
  return {
    prepare: async () => undefined,
    living: async () => (await find()).map(({ pid }) => pid),
    async signal(signal) {
      const found = await find()
      // The group first: unlike the table, it includes processes that are started right now.
      if (found.some((entry) => entry.group === group)) local.send(-group, signal)
      for (const entry of found) if (entry.group !== group) local.send(entry.pid, signal)
    },
    strays: () => [],
  }
}

function ignore(): void {}
