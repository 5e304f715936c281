import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { flags } from './hostile-flags.ts'

/**
 * A process behind a shell, as package runners leave them: it outlives the server unless the whole group is ended, and
 * even then with `setsid`. Resolves with its id.
 */
export async function startGrandchild(): Promise<string> {
  const shell = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: flags.setsid === true,
  })
  // Neither keeps the server from ending: it leaves them behind.
  shell.unref()
  const [pid]: unknown[] = await once(shell.stdout, 'data')
  shell.stdout.destroy()
  return String(pid).trim()
}

/** Runs this program again without `--wrapped` behind a shell that waits for it, and waits for the shell. */
export function runWrapped(): void {
  const program = process.argv.slice(1).filter((argument) => argument !== '--wrapped')
  const line = [process.execPath, ...program].map((part) => `'${part}'`).join(' ')
  const shell = spawn('sh', ['-c', `${line}; exit $?`], { stdio: 'inherit' })
  shell.once('exit', (code) => process.exit(code ?? 1))
}
