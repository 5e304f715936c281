import { enableCodeCache } from './code-cache.ts'
import { ExitCode } from './exit-code.ts'
import { withLostOutput } from './output.ts'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

/** Runs the command line of this process and sets its exit status. */
export async function start(argv: readonly string[]): Promise<void> {
  enableCodeCache(process.env)
  const interruption = new AbortController()
  const interrupt = (): void => interruptOnce(interruption)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt)
  const input = lazyInput()
  const { stdout, stderr, env } = process
  const { signal } = interruption
  const terminal: Terminal = {
    get stdin() {
      return input.open()
    },
    stdout,
    stderr,
    env,
    cwd: currentFolder(),
    signal,
    interrupt,
  }
  process.exitCode = await withLostOutput(terminal, () => run(argv, terminal))
  input.release()
}

/** The first signal stops everything in order; the second exits at once. */
function interruptOnce(interruption: AbortController): void {
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort(new DOMException('interrupted', 'AbortError'))
}

/** Standard input, opened on first use: most commands read nothing, and Node loads many modules to open it. */
function lazyInput(): { open(): NodeJS.ReadStream; release(): void } {
  let opened: NodeJS.ReadStream | undefined
  return {
    open: () => (opened ??= process.stdin),
    /** Lets the process end while the input is still open. */
    release: () => void opened?.unref?.(),
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    process.stderr.write('toolbridge: the current folder no longer exists; change to another one\n')
    process.exit(ExitCode.Config)
  }
}
