import {
  bare,
  braced,
  contextPath,
  curly,
  dollarEnv,
  doubleCurly,
  editorVariables,
  escaped,
  extensionVariables,
  identifier,
  literalBraces,
  percent,
  prefixed,
  unsupported,
  type VariableForm,
  workspaceFolderOnly,
} from './variable-forms.ts'
import { type BrokenVariable, environmentVariable, type Piece, type Variable } from './variables.ts'

/** Variable syntax of a host. */
export interface VariableSyntax {
  readonly forms: readonly VariableForm[]
  /** An unterminated variable with this prefix is an error, not text. */
  readonly opening?: '${'
  /** Escapes text that looks like a variable, if the syntax supports it. */
  escape?(text: string): string
}

/** Parses a text in the syntax of a host. */
export function readVariables(text: string, syntax: VariableSyntax): readonly Piece[] {
  const pieces: Piece[] = []
  const search = new Search(text, syntax)
  let literal = ''
  let at = 0
  while (at < text.length) {
    const found = search.at(at)
    if (found === undefined) {
      literal += text[at]
      at += 1
      continue
    }
    if (found.piece.kind === 'text') literal += found.piece.text
    else {
      if (literal !== '') pieces.push({ kind: 'text', text: literal })
      literal = ''
      pieces.push(found.piece)
    }
    at = found.end
  }
  return literal === '' ? pieces : [...pieces, { kind: 'text', text: literal }]
}

interface Found {
  readonly piece: Piece
  readonly end: number
}

class Search {
  readonly #text: string
  readonly #syntax: VariableSyntax
  readonly #lastClose: number
  /** Where the end of a form was missing. Before that place it would be missed there again. */
  readonly #missed = new Map<VariableForm, number>()

  constructor(text: string, syntax: VariableSyntax) {
    this.#text = text
    this.#syntax = syntax
    this.#lastClose = text.lastIndexOf('}')
  }

  at(position: number): Found | undefined {
    for (const form of this.#syntax.forms) {
      const found = this.#matched(form, position)
      if (found !== undefined) return found
    }
    const { opening } = this.#syntax
    const isOpen =
      opening !== undefined && position > this.#lastClose && this.#text.startsWith(opening, position)
    return isOpen ? { piece: { kind: 'unterminated' }, end: this.#text.length } : undefined
  }

  #matched(form: VariableForm, position: number): Found | undefined {
    if (position < (this.#missed.get(form) ?? 0)) return undefined
    form.pattern.lastIndex = position
    const match = form.pattern.exec(this.#text)
    if (match === null) return undefined
    const from = position + match[0].length
    const { end = '' } = form
    const rest = form.untilEnd === undefined ? '' : form.untilEnd(match, this.#text, from)
    const stop = rest === undefined ? this.#text.length : from + rest.length
    if (rest !== undefined && this.#text.startsWith(end, stop))
      return { piece: form.read(match, rest), end: stop + end.length }
    this.#missed.set(form, stop)
    return undefined
  }
}

/** Prints pieces in the syntax of a host, or returns the piece that it cannot express. */
export function writeVariables(pieces: readonly Piece[], syntax: VariableSyntax): string | UnwritableText {
  let text = ''
  for (const piece of pieces) {
    const written =
      piece.kind === 'text' ? (syntax.escape?.(piece.text) ?? piece.text) : printPiece(piece, syntax)
    if (written === undefined) return { unwritable: piece }
    text += written
  }
  // Literal text that the host would read as a variable cannot be expressed either.
  const readBack = readVariables(text, syntax)
  return sameAs(readBack, pieces) ? text : { unwritable: { kind: 'text', text: '' } }
}

export interface UnwritableText {
  readonly unwritable: Piece
}

/** Prints one variable in the syntax of a host. */
export function printPiece(piece: Variable | BrokenVariable, { forms }: VariableSyntax): string | undefined {
  if (
    piece.kind === 'unknown' ||
    piece.kind === 'nested' ||
    piece.kind === 'cyclic' ||
    piece.kind === 'unterminated'
  )
    return undefined
  for (const form of forms) {
    const written = form.print(piece)
    if (written !== undefined) return written
  }
  return undefined
}

function sameAs(one: readonly Piece[], other: readonly Piece[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export type SyntaxName =
  | 'none'
  | 'braced'
  | 'bracedWithDefaults'
  | 'environment'
  | 'yaaf'
  | 'cursor'
  | 'vscode'
  | 'windsurf'
  | 'shell'
  | 'gemini'
  | 'geminiOnWindows'
  | 'qwen'
  | 'crush'
  | 'curly'
  | 'continue'
  | 'mcporter'
  | 'contextual'
  | 'contextualThenEnvironment'

/** Variable syntaxes of the hosts. */
export const variableSyntaxes: Readonly<Record<SyntaxName, VariableSyntax>> = {
  none: { forms: [] },
  braced: { forms: [braced(false)], opening: '${' },
  bracedWithDefaults: { forms: [braced(true)], opening: '${' },
  environment: { forms: [prefixed('env', identifier)], opening: '${' },
  yaaf: {
    forms: [prefixed('env'), workspaceFolderOnly, unsupported(/\$\{(input:[^}]*)/y, '}')],
    opening: '${',
  },
  cursor: { forms: [prefixed('env'), editorVariables], opening: '${' },
  vscode: {
    forms: [
      prefixed('input'),
      prefixed('env'),
      editorVariables,
      unsupported(/\$\{((?:command|config|workspaceFolder):[^}]*|cwd|fileDirname|file|execPath)/y, '}'),
    ],
    opening: '${',
  },
  windsurf: { forms: [prefixed('env'), prefixed('file')], opening: '${' },
  shell: { forms: [braced(true), bare] },
  gemini: { forms: [extensionVariables, braced(true), bare] },
  geminiOnWindows: { forms: [extensionVariables, braced(true), bare, percent] },
  qwen: { forms: [extensionVariables, braced(false), literalBraces, bare] },
  crush: { forms: [unsupported(/\$\(([^)]*)/y, ')'), braced(true), bare] },
  curly: { forms: [curly('env'), curly('file')] },
  continue: { forms: [doubleCurly('secret', 'secrets'), doubleCurly('input', 'inputs')] },
  mcporter: { forms: [braced(true), prefixed('env'), dollarEnv], opening: '${' },
  contextual: {
    forms: [
      escaped(
        (inside) => ({ kind: 'text', text: `\${${inside}}` }),
        () => undefined,
      ),
      contextPath,
    ],
    opening: '${',
    escape: (text: string) => text.replaceAll('${', () => '\\${'),
  },
  contextualThenEnvironment: {
    forms: [
      escaped(
        (inside) => environmentVariable(inside, undefined),
        (variable) =>
          variable.kind === 'env' && variable.fallback === undefined ? `\\\${${variable.name}}` : undefined,
      ),
      contextPath,
    ],
    opening: '${',
  },
}
