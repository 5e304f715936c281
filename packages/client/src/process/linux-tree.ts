import type { ProcessEntry } from './process-table.ts'
import { type ProcessTree, type StopSignal, sendSignal } from './process-tree.ts'
import { isTaggedBy } from './server-tag.ts'

/**
 * The processes in a server's group or session, and those with the server's tag in their environment. A process that
 * left its group and session and dropped its environment is not found.
 */
export function linuxTree(
  leader: number,
  key: string,
  readTable: () => Promise<readonly ProcessEntry[]>,
): ProcessTree {
  const find = async (): Promise<readonly ProcessEntry[]> =>
    (await readTable()).filter((entry) => belongsTo(entry, leader, key))
  return {
    async prepare() {
      // While the server exits, so that the reading after its exit is fast.
      setImmediate(() => void readTable().catch(ignore))
    },
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

function belongsTo({ group, session, tag }: ProcessEntry, leader: number, key: string): boolean {
  return group === leader || session === leader || isTaggedBy(tag, key)
}

function ignore(): void {}
