import type { Writable } from 'node:stream'
import { ExitCode } from './exit-code.ts'

/** A file that the user asked for could not be written. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

export interface Output {
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * Runs a command and reports output that could not be written. A closed pipe is not an error. Any other write error is
 * printed once, on stderr, and becomes the exit status of a command that would have succeeded.
 */
export async function withLostOutput(output: Output, work: () => Promise<ExitCode>): Promise<ExitCode> {
  let failure: Error | undefined
  output.stderr.on('error', () => {})
  output.stdout.on('error', (error: Error & { readonly code?: string }) => {
    if (failure !== undefined || error.code === 'EPIPE') return
    failure = error
    output.stderr.write(`toolbridge: cannot write the output: ${error.message}\n`)
  })
  const code = await work()
  await flushed(output.stdout)
  return failure !== undefined && code === ExitCode.Ok ? ExitCode.Output : code
}

/** Resolves when all writes have finished or failed. */
async function flushed(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => stream.write('', () => resolve()))
  await new Promise<void>((resolve) => setImmediate(resolve))
}
