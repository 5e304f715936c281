import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { type ProcessTree, sendSignal } from './process-tree.ts'

/** A process as `ps` lists it: its id, its parent's and its group's. */
export type ListedProcess = readonly [pid: number, parent: number, group: number]

/**
 * A server's process group, on systems that do not show the environment of processes. Descendants outside the group are
 * looked up before the stop, and reported if they are still running afterwards.
 */
export function posixTree(
  leader: number,
  list: () => Promise<readonly ListedProcess[]> = listProcesses,
): ProcessTree {
  let outsiders: readonly number[] = []
  return {
    async prepare() {
      outsiders = descendantsOutsideGroup(await list(), leader)
    },
    living: async () => (sendSignal(-leader, 0) ? [leader] : []),
    async signal(signal) {
      sendSignal(-leader, signal)
    },
    strays: () => outsiders.filter((pid) => sendSignal(pid, 0)),
  }
}

/** The descendants of a process that are not in its group. */
export function descendantsOutsideGroup(
  processes: readonly ListedProcess[],
  leader: number,
): readonly number[] {
  const descendants = new Set([leader])
  // A child may be listed before its parent, so one pass may not find all.
  for (let known = 0; known < descendants.size; ) {
    known = descendants.size
    for (const [pid, parent] of processes) if (descendants.has(parent)) descendants.add(pid)
  }
  return processes.flatMap(([pid, , group]) => (descendants.has(pid) && group !== leader ? [pid] : []))
}

/** Lists all processes; empty if there is no `ps`. */
export function listProcesses(): Promise<readonly ListedProcess[]> {
  const { execFile } = nodeBuiltin('node:child_process')
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid='], { timeout: 2_000 }, (_error, output) => {
      resolve(output.split('\n').flatMap(parseLine))
    })
  })
}

function parseLine(line: string): ListedProcess[] {
  const [pid = Number.NaN, parent = Number.NaN, group = Number.NaN] = line.trim().split(/\s+/).map(Number)
  return Number.isInteger(pid + parent + group) ? [[pid, parent, group]] : []
}
