#!/usr/bin/env node
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

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  signal: interruption.signal,
})
process.stdin.unref?.()
