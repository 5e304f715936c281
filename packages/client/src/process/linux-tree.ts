import type { ProcessEntry, ProcessTable } from './process-table.ts'
import { type ProcessTree, type StopSignal, sendSignal } from './process-tree.ts'

/**
 * The processes in a server's group or session, and those with the server's tag in their environment. A process that
 * left its group and session and dropped its environment is not found.
 */
export function linuxTree(leader: number, tag: string, readTable: () => Promise<ProcessTable>): ProcessTree {
  const find = (): Promise<readonly ProcessEntry[]> =>
    findReliably(readTable, (entry) => belongsTo(entry, leader, tag))
  return {
    prepare: async () => undefined,
    living: async () => (await find()).map(({ pid }) => pid),
    async signal(signal: StopSignal) {
      // The group first: unlike the table, it includes processes that are started right now.
      sendSignal(-leader, signal)
      for (const { pid, group } of await find()) {
        if (group !== leader) sendSignal(pid, signal)
      }
    },
    strays: () => [],
  }
}

/** On a machine with many short-lived processes no reading is reliable; then this many must suffice. */
const MAX_READINGS = 4

/**
 * An empty result is reliable only if no listed process ended during the reading: it may have started another one that
 * was not listed yet. Then the table is read again.
 */
async function findReliably(
  readTable: () => Promise<ProcessTable>,
  isWanted: (entry: ProcessEntry) => boolean,
): Promise<readonly ProcessEntry[]> {
  let known: ReadonlySet<string> = new Set()
  for (let readings = 1; ; readings++) {
    const { living, ended } = await readTable()
    const found = living.filter(isWanted)
    if (found.length > 0 || readings === MAX_READINGS || [...ended].every((pid) => known.has(pid)))
      return found
    known = ended
  }
}

/** A server that starts servers itself appends their tags to its own. */
function belongsTo({ group, session, tag }: ProcessEntry, leader: number, own: string): boolean {
  return group === leader || session === leader || tag.split('/').includes(own)
}
