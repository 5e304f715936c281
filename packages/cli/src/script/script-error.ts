import type { ExitCode } from '../exit-code.ts'

/** A program that cannot be loaded, or that failed. The message is for the person who wrote the program. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode) {
    super(message)
    this.exitCode = exitCode
  }
}
