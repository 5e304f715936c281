import type { Writable } from 'node:stream'
import { ExitCode } from './exit-code.ts'

export interface Output {
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * Runs a command whose output may be lost. A reader that has seen enough is no failure; any other failure to write is said
 * once, on stderr, and becomes the code of a command that would have gone well.
 */
export async function withLostOutput(output: Output, work: () => Promise<ExitCode>): Promise<ExitCode> {
  let failure: Error | undefined
  output.stderr.on('error', () => {})
  output.stdout.on('error', (error: Error & { readonly code?: string }) => {
    if (failure !== undefined || error.code === 'EPIPE') return
    failure = error
    output.stderr.write(`toolbridge: the output could not be written: ${error.message}\n`)
  })
  const code = await work()
  await flushed(output.stdout)
  return failure !== undefined && code === ExitCode.Ok ? ExitCode.Output : code
}

/** Resolves when everything was written, or failed to be. */
async function flushed(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => stream.write('', () => resolve()))
  await new Promise<void>((resolve) => setImmediate(resolve))
}
