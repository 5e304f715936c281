import type { ProcessEntry } from './process-table.ts'
import { type ProcessTree, type StopSignal, sendSignal } from './tree.ts'

/**
 * A server's group and session, and what left both but still carries the server's tag in its environment. A process that
 * leaves its group, its session and its environment behind is out of reach.
 */
export function linuxTree(
  leader: number,
  tag: string,
  readTable: () => Promise<readonly ProcessEntry[]>,
): ProcessTree {
  const family = async (): Promise<readonly ProcessEntry[]> =>
    (await readTable()).filter((entry) => isOfFamily(entry, leader, tag))
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

/** A server that starts servers itself adds their tags to its own. */
function isOfFamily({ group, session, tag }: ProcessEntry, leader: number, own: string): boolean {
  return group === leader || session === leader || tag.split('/').includes(own)
}
