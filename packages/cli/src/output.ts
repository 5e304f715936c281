import { printable } from '@toolbridge/client/internal'
import { ExitCode } from './exit-code.ts'

/** A file that the user asked for could not be written. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr'>

/**
 * Output of a process, and whether it could be written. A closed pipe is not an error. Any other write error is printed
 * once, on stderr. A stream is opened on first use, which takes Node milliseconds.
 */
export class ProcessOutput implements Streams {
  readonly #streams: Streams
  #stdout: Streams['stdout'] | undefined
  #stderr: Streams['stderr'] | undefined
  #failure: Error | undefined

  constructor(streams: Streams) {
    this.#streams = streams
  }

  get stdout(): Streams['stdout'] {
    this.#stdout ??= this.#streams.stdout.on('error', (error) => this.#failed(error))
    return this.#stdout
  }

  get stderr(): Streams['stderr'] {
    this.#stderr ??= this.#streams.stderr.on('error', () => {})
    return this.#stderr
  }

  /** Waits for the output of a command. Returns its exit status, or that of lost output if it would have succeeded. */
  async exitCodeAfter(code: ExitCode): Promise<ExitCode> {
    for (const stream of [this.#stdout, this.#stderr]) if (stream !== undefined) await flushed(stream)
    return this.#failure !== undefined && code === ExitCode.Ok ? ExitCode.Output : code
  }

  #failed(error: Error & { readonly code?: string }): void {
    if (this.#failure !== undefined || error.code === 'EPIPE') return
    this.#failure = error
    this.stderr.write(`toolbridge: cannot write the output: ${printable(error.message)}\n`)
  }
}

/** Resolves when all writes have finished or failed. */
async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => stream.write('', () => resolve()))
  await new Promise<void>((resolve) => setImmediate(resolve))
}
