import type { ProcessEntry, ProcessTable } from './process-table.ts'
import { type ProcessTree, type StopSignal, sendSignal } from './process-tree.ts'

/**
 * A server's group and session, and what left both but still carries the server's tag in its environment. A process that
 * leaves its group, its session and its environment behind is out of reach.
 */
export function linuxTree(leader: number, tag: string, readTable: () => Promise<ProcessTable>): ProcessTree {
  const family = (): Promise<readonly ProcessEntry[]> =>
    findCertainly(readTable, (entry) => isOfFamily(entry, leader, tag))
  return {
    prepare: async () => undefined,
    living: async () => (await family()).map(({ pid }) => pid),
    async signal(signal: StopSignal) {
      // The group first: unlike the list, it includes what is started right now.
      sendSignal(-leader, signal)
      for (const { pid, group } of await family()) {
        if (group !== leader) sendSignal(pid, signal)
      }
    },
    strays: () => [],
  }
}

/** On a machine where processes come and go all the time, no look at them is certain; then this many have to do. */
const MAX_LOOKS = 4

/**
 * Finding none means something only if nothing that was there ended while it was looked at, or else it may have left
 * others that were not there yet: then everything is looked at again.
 */
async function findCertainly(
  readTable: () => Promise<ProcessTable>,
  isWanted: (entry: ProcessEntry) => boolean,
): Promise<readonly ProcessEntry[]> {
  let known: ReadonlySet<string> = new Set()
  for (let looks = 1; ; looks++) {
    const { living, ended } = await readTable()
    const found = living.filter(isWanted)
    if (found.length > 0 || looks === MAX_LOOKS || [...ended].every((pid) => known.has(pid))) return found
    known = ended
  }
}

/** A server that starts servers itself adds their tags to its own. */
function isOfFamily({ group, session, tag }: ProcessEntry, leader: number, own: string): boolean {
  return group === leader || session === leader || tag.split('/').includes(own)
}
