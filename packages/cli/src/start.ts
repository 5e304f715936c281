import { isatty } from 'node:tty'
import { enableCodeCache } from './code-cache.ts'
import { ExitCode } from './exit-code.ts'
import { ProcessOutput } from './output.ts'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

/** Runs the command line of this process and sets its exit status. */
export async function start(argv: readonly string[]): Promise<void> {
  enableCodeCache(process.env)
  const interruption = new AbortController()
  const interrupt = (): void => interruptOnce(interruption)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt)
  const output = new ProcessOutput(process)
  const { env } = process
  const { signal } = interruption
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
    interrupt,
  }
  process.exitCode = await output.exitCodeAfter(await run(argv, terminal))
  // At once: otherwise Node frees the memory first, which takes milliseconds, and waits for input that is still open.
  process.exit()
}

/** The first signal stops everything in order; the second exits at once. */
function interruptOnce(interruption: AbortController): void {
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort(new DOMException('interrupted', 'AbortError'))
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    process.stderr.write('toolbridge: the current folder no longer exists; change to another one\n')
    process.exit(ExitCode.Config)
  }
}
