import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { hasExited, type PipedChild } from './server-process.ts'
import type { ProcessTree } from './process-tree.ts'
import { windowsVariable } from './windows-spawn-plan.ts'

/** Runs a program to its end, whatever that end is. */
export type RunProgram = (file: string, args: readonly string[]) => Promise<void>

/**
 * Best effort: Windows has neither groups nor a gentle signal for programs without a window, so both signals end the
 * process and those that descend from it. What outlived its own parent is not found.
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

/** By its full path: a name alone would be searched in the current folder first. */
function taskkill(): string {
  const systemRoot = windowsVariable(process.env, 'SYSTEMROOT')
  return systemRoot === undefined ? 'taskkill.exe' : `${systemRoot}\\System32\\taskkill.exe`
}

function runQuietly(file: string, args: readonly string[]): Promise<void> {
  const { execFile } = nodeBuiltin('node:child_process')
  return new Promise((resolve) => {
    // It fails when the process is gone already, which is what it is for.
    execFile(file, [...args], { windowsHide: true, timeout: 2_000 }, () => resolve())
  })
}
