import { createRequire } from 'node:module'

/** A program that is neither JavaScript nor TypeScript. */
export class TypeScriptError extends Error {
  override readonly name = 'TypeScriptError'
  /** Line of the program, from 1. */
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** Removes the types from a program. Lines stay where they are. Throws a `TypeScriptError` if it does not parse. */
export function withoutTypes(program: string): string {
  // Loaded on first use: most code is JavaScript.
  const { transform }: typeof import('sucrase') = createRequire(import.meta.url)('sucrase')
  try {
    return transform(program, { transforms: ['typescript'], disableESTransforms: true }).code
  } catch (error) {
    throw parseError(error)
  }
}

/** Sucrase's messages end with line and column. */
function parseError(error: unknown): unknown {
  const [, message, line] = (error instanceof Error && /^(.+) \((\d+):\d+\)$/s.exec(error.message)) || []
  return message === undefined ? error : new TypeScriptError(message, Number(line))
}
