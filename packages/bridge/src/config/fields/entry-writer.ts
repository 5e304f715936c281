import type { SpecFieldName } from '../spec/spec-fields.ts'
import { type VariableSyntax, writeVariables } from '../variables/variable-syntaxes.ts'
import { type Piece, parseVariables } from '../variables/variables.ts'

/** State of writing one server entry. */
export class EntryWriter {
  readonly #syntaxOf: (specField: SpecFieldName) => VariableSyntax | 'canonical'
  readonly #onUnwritable: (specField: SpecFieldName, reason: string) => void

  constructor(
    syntaxFor: (specField: SpecFieldName) => VariableSyntax | 'canonical',
    onUnwritable: (specField: SpecFieldName, reason: string) => void,
  ) {
    this.#syntaxOf = syntaxFor
    this.#onUnwritable = onUnwritable
  }

  /** Converts a canonical text to the syntax of the dialect. Reports it and returns undefined if that is not possible. */
  text(text: string, specField: SpecFieldName, what = ''): string | undefined {
    const syntax = this.#syntaxOf(specField)
    if (syntax === 'canonical') return text
    const written = writeVariables(parseVariables(text), syntax)
    if (typeof written === 'string') return written
    this.reportUnwritable(
      specField,
      `${what}the dialect cannot express ${describe(written.unwritable)} there`,
    )
    return undefined
  }

  reportUnwritable(specField: SpecFieldName, reason: string): void {
    this.#onUnwritable(specField, reason)
  }
}

function describe(piece: Piece): string {
  switch (piece.kind) {
    case 'text':
      return 'text that looks like a variable'
    case 'env':
      return piece.fallback === undefined
        ? `the variable ${piece.name}`
        : `the default of the variable ${piece.name}`
    case 'input':
    case 'secret':
      return `the ${piece.kind} ${piece.name}`
    case 'file':
      return 'a file variable'
    case 'context':
      return 'a context variable'
    case 'predefined':
      return `\${${piece.name}}`
    case 'unknown':
    case 'nested':
    case 'cyclic':
    case 'unterminated':
      return 'a broken variable'
  }
}
