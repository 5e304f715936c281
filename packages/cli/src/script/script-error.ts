import type { ExitCode } from '../exit-code.ts'

/** A program that cannot be loaded, or that failed. The message is one line for the person who wrote the program. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly exitCode: ExitCode
  /** Frames of its stack, to be printed below the message. */
  readonly lines: readonly string[]

  constructor(message: string, exitCode: ExitCode, lines: readonly string[] = []) {
    super(message)
    this.exitCode = exitCode
    this.lines = lines
  }
}
