import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { hasProcessTable, type ProcessEntry, ProcessTable } from './process-table.ts'
import { sendSignal, type StopSignal } from './process-tree.ts'

/** The processes of this machine, also those that other processes started. */
export interface LocalProcesses {
  read(): Promise<readonly ProcessEntry[]>
  /** Whether a process is of this user and in this container. */
  isOwn(pid: number): boolean
  /** The program and arguments of a process; empty if it has ended. May contain secrets. */
  commandLine(pid: number): readonly string[]
  /** Signals a process, or a group for a negative id. */
  send(target: number, signal: StopSignal): void
}

/** Undefined on systems that do not show the environment of processes. */
export function localProcesses(): LocalProcesses | undefined {
  if (!hasProcessTable()) return undefined
  const table = new ProcessTable('all')
  return {
    read: () => table.read(),
    isOwn,
    commandLine,
    send: (target, signal) => sendSignal(target, signal),
  }
}

/** The superuser can read the environment of every process, and the host sees those in containers. */
function isOwn(pid: number): boolean {
  const { readlinkSync, statSync } = nodeBuiltin('node:fs')
  try {
    const isSameUser = statSync(`/proc/${pid}`).uid === process.geteuid?.()
    // A pid in the tag is one of the container in which it was written.
    return isSameUser && readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync('/proc/self/ns/pid')
  } catch {
    return false
  }
}

function commandLine(pid: number): readonly string[] {
  try {
    const text = nodeBuiltin('node:fs').readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return text.replace(/\0$/, '').split('\0')
  } catch {
    return []
  }
}
