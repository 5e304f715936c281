import { isatty } from 'node:tty'
import { enableCodeCache } from './code-cache.ts'
import { ExitCode } from './exit-code.ts'
import { Interruptions } from './interruptions.ts'
import { ProcessOutput } from './output.ts'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

/** Runs the command line of this process and sets its exit status. */
export async function start(argv: readonly string[]): Promise<void> {
  enableCodeCache(process.env)
  const interruptions = new Interruptions(() => process.exit(ExitCode.Cancelled))
  process.on('SIGINT', () => interruptions.interrupt())
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => interruptions.end())
  const output = new ProcessOutput(process)
  const { env } = process
  const { signal } = interruptions
  const terminal: Terminal = {
    // Opened on first use: most commands read nothing, and Node loads many modules to open it.
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return output.stdout
    },
    get stderr() {
      return output.stderr
    },
    isStderrTty: isatty(2),
    env,
    cwd: currentFolder(),
    signal,
    interrupt: () => interruptions.interrupt(),
    takeInterrupt: (onInterrupt) => interruptions.take(onInterrupt),
  }
  process.exitCode = await output.exitCodeAfter(await run(argv, terminal))
  // At once: otherwise Node frees the memory first, which takes milliseconds, and waits for input that is still open.
  process.exit()
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    process.stderr.write('toolbridge: the current folder no longer exists; change to another one\n')
    process.exit(ExitCode.Config)
  }
}
