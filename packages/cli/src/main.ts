#!/usr/bin/env node
import { withLostOutput } from './output.ts'
import { run } from './run.ts'

const interruption = new AbortController()

/** The first signal asks everything to stop in order; a second one gives up on that. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort(new DOMException('interrupted', 'AbortError'))
}

process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
process.on('SIGHUP', interrupt)

const { stdin, stdout, stderr } = process
process.exitCode = await withLostOutput({ stdout, stderr }, () =>
  run(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: interruption.signal,
    interrupt,
  }),
)
stdin.unref?.()
