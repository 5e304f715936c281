#!/usr/bin/env node
import { enableCodeCache } from './code-cache.ts'
import { ExitCode } from './exit-code.ts'
import { withLostOutput } from './output.ts'
import { run } from './run.ts'

const interruption = new AbortController()

/** The first signal stops everything in order; the second exits at once. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort(new DOMException('interrupted', 'AbortError'))
}

process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
process.on('SIGHUP', interrupt)

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    stderr.write('toolbridge: the current folder no longer exists; change to another one\n')
    process.exit(ExitCode.Config)
  }
}

const { stdin, stdout, stderr } = process
enableCodeCache(process.env)
process.exitCode = await withLostOutput({ stdout, stderr }, () =>
  run(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    env: process.env,
    cwd: currentFolder(),
    signal: interruption.signal,
    interrupt,
  }),
)
stdin.unref?.()
