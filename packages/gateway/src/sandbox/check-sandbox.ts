import { type ChildProcess, spawn } from 'node:child_process'
import { ConfigError, type Issue } from '@toolbridge/bridge'
import type { SandboxOptions } from './sandbox-options.ts'

/** What programs in the sandbox must not reach. */
export interface SandboxTarget {
  /** A file that only the user of the gateway may read. */
  readonly privateFile: string
  /** Time to start a program in it, and to stop that. Default: 10 s each. */
  readonly timeoutMs?: number
}

/** Prints what a program in the sandbox can do, and then ignores every request to stop. */
const script = `
trap '' TERM HUP
( : < "$1" ) 2>/dev/null && echo reads
kill -0 "$2" 2>/dev/null && echo signals
[ "$(id -u)" = "$3" ] && echo same
[ "$(id -u)" = 0 ] && echo root
grep -Eqs '^Cap(Prm|Eff):.*[1-9a-f]' /proc/self/status && echo capable
[ "$TOOLBRIDGE_PROBE" = passed ] || echo blank
echo done
exec sleep 60`

const problems: Readonly<Record<string, string>> = {
  same: 'programs in it have the user id of the gateway',
  root: 'programs in it run as root',
  capable: 'programs in it have capabilities, with which they could change their user id back',
  reads: 'programs in it can read the files of the gateway',
  signals: 'programs in it can send signals to the gateway',
  blank: 'it does not pass on environment variables',
}

/**
 * Runs a program in the sandbox, and checks that it runs as another user, reaches neither the gateway's files nor its process, and
 * that the gateway can stop it. Rejects with a `ConfigError` otherwise.
 */
export async function checkSandbox(
  sandbox: SandboxOptions,
  { privateFile, timeoutMs = 10_000 }: SandboxTarget,
): Promise<void> {
  const child = startProbe(sandbox, privateFile)
  // The end of the output, not of the process: the sandbox command may end before the program.
  const ended = new Promise<boolean>((resolve) => child.once('close', () => resolve(true)))
  const lines = await Promise.race([printedBy(child), after(timeoutMs, undefined)])
  kill(child)
  if (lines === undefined) throw unusable(['it does not start programs'])
  const isStopped = await Promise.race([ended, after(timeoutMs, false)])
  if (!isStopped) child.stdout?.destroy()
  const found = lines.flatMap((line) => problems[line] ?? [])
  if (!isStopped) found.push(unstoppable)
  if (found.length > 0) throw unusable(found)
}

const unstoppable = 'the gateway cannot stop programs in it: it needs the right to send them signals'

function startProbe(
  { command: [program = '', ...before] }: SandboxOptions,
  privateFile: string,
): ChildProcess {
  const facts = [privateFile, String(process.pid), String(process.getuid?.() ?? '')]
  return spawn(program, [...before, '/bin/sh', '-c', script, 'probe', ...facts], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], TOOLBRIDGE_PROBE: 'passed' },
    detached: true,
  })
}

/** The lines before `done`. Undefined if the output ends without it. */
function printedBy(child: ChildProcess): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (/^done$/m.test(text)) resolve(text.split('\n'))
    })
    child.stdout?.once('end', () => resolve(undefined))
    child.once('error', () => resolve(undefined))
  })
}

/** As for every server: its process group. */
function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended, or may not be signalled; the end of its output shows which.
  }
}

function after<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, value).unref()
  })
}

function unusable(reasons: readonly string[]): ConfigError {
  const issue: Issue = {
    code: 'sandbox_invalid',
    severity: 'error',
    file: 'gateway options',
    path: '/sandbox/command',
    message: `the sandbox command cannot be used: ${reasons.join('; ')}`,
    fix: 'see "Programs" in docs/deploy.md for one that works',
  }
  return ConfigError.of([issue])
}
