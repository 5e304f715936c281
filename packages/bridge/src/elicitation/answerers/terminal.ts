import type { Readable, Writable } from 'node:stream'
import type { Answerer } from '../question.ts'

export interface TerminalAnswererOptions {
  /** `process.stdin` unless told. */
  readonly input?: Readable
  /** `process.stdout` unless told. */
  readonly output?: Writable
}

/** Asks the person at this terminal, one question at a time. Only for a terminal that a person sits at. */
export function terminalAnswerer(_options: TerminalAnswererOptions = {}): Answerer {
  throw new Error('not built yet')
}
