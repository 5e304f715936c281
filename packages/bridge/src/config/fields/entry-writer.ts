import type { SlotName } from '../spec/spec-fields.ts'
import { type VariableSyntax, writeVariables } from '../variables/variable-syntaxes.ts'
import { type Piece, parseVariables } from '../variables/variables.ts'

/** One server's entry while it is written. */
export class EntryWriter {
  readonly #syntaxOf: (slot: SlotName) => VariableSyntax | 'canonical'
  readonly #onLoss: (slot: SlotName, reason: string) => void

  constructor(
    syntaxFor: (slot: SlotName) => VariableSyntax | 'canonical',
    onLoss: (slot: SlotName, reason: string) => void,
  ) {
    this.#syntaxOf = syntaxFor
    this.#onLoss = onLoss
  }

  /** A canonical text in the syntax of the dialect; undefined, and told for what, when it has no words for it. */
  text(text: string, slot: SlotName, what = ''): string | undefined {
    const syntax = this.#syntaxOf(slot)
    if (syntax === 'canonical') return text
    const written = writeVariables(parseVariables(text), syntax)
    if (typeof written === 'string') return written
    this.lose(slot, `${what}there is no way to write ${describe(written.unwritable)} there`)
    return undefined
  }

  lose(slot: SlotName, reason: string): void {
    this.#onLoss(slot, reason)
  }
}

function describe(piece: Piece): string {
  switch (piece.kind) {
    case 'text':
      return 'a text that would be taken for a variable'
    case 'env':
      return piece.fallback === undefined
        ? `the variable ${piece.name}`
        : `the default of the variable ${piece.name}`
    case 'input':
    case 'secret':
      return `the ${piece.kind} ${piece.name}`
    case 'file':
      return 'the content of a file'
    case 'context':
      return 'a value of the calling context'
    case 'place':
      return `\${${piece.name}}`
    case 'unknown':
    case 'nested':
    case 'cyclic':
    case 'unterminated':
      return 'a broken variable'
  }
}
