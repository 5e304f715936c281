import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { flags } from './hostile-flags.ts'

/**
 * Starts a process behind a shell, as package runners do. It outlives the server unless the whole group is ended; with
 * `setsid`, even then. Resolves with its pid.
 */
export async function startGrandchild(): Promise<string> {
  const shell = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: flags.setsid === true,
  })
  // Unreferenced, so that the server exits without them.
  shell.unref()
  const [pid]: unknown[] = await once(shell.stdout, 'data')
  shell.stdout.destroy()
  return String(pid).trim()
}

/** Runs this program without `--wrapped` behind a waiting shell, and waits for the shell. */
export function runWrapped(): void {
  const program = process.argv.slice(1).filter((argument) => argument !== '--wrapped')
  const line = [process.execPath, ...program].map((part) => `'${part}'`).join(' ')
  const shell = spawn('sh', ['-c', `${line}; exit $?`], { stdio: 'inherit' })
  shell.once('exit', (code) => process.exit(code ?? 1))
}
