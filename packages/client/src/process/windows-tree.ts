import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { hasExited, type PipedChild } from './server-process.ts'
import type { ProcessTree } from './process-tree.ts'
import { windowsVariable } from './windows-spawn-plan.ts'

/** Runs a program; resolves when it ends, also if it fails. */
export type RunProgram = (file: string, args: readonly string[]) => Promise<void>

/**
 * Best effort: Windows has no process groups and no SIGTERM for programs without a window, so both signals kill the
 * process and its descendants. A process whose parent has ended is not found.
 */
export function windowsTree(child: PipedChild, _number: number, run: RunProgram = runQuietly): ProcessTree {
  const { pid: leader = 0 } = child
  return {
    prepare: async () => undefined,
    living: async () => (hasExited(child) ? [] : [leader]),
    signal: () => run(taskkill(), ['/pid', String(leader), '/T', '/F']),
    strays: () => [],
  }
}

/** The full path: a name would be searched in the current folder first. */
function taskkill(): string {
  const systemRoot = windowsVariable(process.env, 'SYSTEMROOT')
  return systemRoot === undefined ? 'taskkill.exe' : `${systemRoot}\\System32\\taskkill.exe`
}

function runQuietly(file: string, args: readonly string[]): Promise<void> {
  const { execFile } = nodeBuiltin('node:child_process')
  return new Promise((resolve) => {
    // It fails if the process has already ended.
    execFile(file, [...args], { windowsHide: true, timeout: 2_000 }, () => resolve())
  })
}
