import type { Dialect } from '../dialects/dialect.ts'
import type { Field, Finding, Place, Report } from '../documents/config-document.ts'
import type { SlotName, Slots } from '../spec/spec-fields.ts'
import { readVariables, syntaxes, type VariableSyntax } from '../variables/variable-syntaxes.ts'
import { parseVariables, printVariables, type Variable } from '../variables/variables.ts'
import { brokenVariable } from './broken-variable.ts'
import type { Outcome } from './field-rule.ts'

/** What became of one field, for those who want to know. */
export interface FieldOutcome {
  readonly outcome: Outcome
  readonly reason: string
}

export type Explain = (
  server: string,
  place: Place,
  position: { readonly line: number; readonly column: number },
  outcome: FieldOutcome,
) => void

export interface EntryReaderOptions {
  readonly server: string
  readonly place: Place
  readonly dialect: Pick<Dialect, 'title' | 'variables' | 'name'>
  readonly platform: string
  readonly report: Report
}

/** One server's entry while it is read: what was understood so far, and whether it can be used at all. */
export class EntryReader {
  readonly server: string
  readonly place: Place
  /** Filled by the rules of the fields. */
  readonly slots: Slots = {}
  readonly #options: EntryReaderOptions
  /** What was said about places of the entry, by their pointer. */
  readonly outcomes: Map<string, FieldOutcome & { readonly place: Place }> = new Map()
  #isRefused = false

  constructor(options: EntryReaderOptions) {
    this.server = options.server
    this.place = options.place
    this.#options = options
  }

  /** Something is so wrong that the server must not be used. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  get dialectTitle(): string {
    return this.#options.dialect.title
  }

  /** Keeps the server out. */
  refuse(place: Place, finding: Omit<Finding, 'severity'>): undefined {
    this.#isRefused = true
    this.remember(place, { outcome: 'refused', reason: finding.message })
    this.#report(place, { ...finding, severity: 'error' })
  }

  /** A value is not what the field takes. */
  invalid(place: Place, what: string, expected: string, found: string = kindOf(place)): undefined {
    return this.refuse(place, {
      code: 'field_invalid',
      message: `${what} must be ${expected}, but is ${found}`,
      found,
      expected,
      fix: 'correct the value',
    })
  }

  /** A value is not one of the words that the field takes. */
  invalidWord(place: Place, what: string, words: readonly string[]): undefined {
    const found = typeof place.node.value === 'string' ? 'another word' : kindOf(place)
    return this.invalid(place, what, `one of ${words.join(', ')}`, found)
  }

  /** The field is understood and left out. */
  drop(place: Place, finding: Omit<Finding, 'severity'>): undefined {
    this.remember(place, { outcome: 'dropped', reason: finding.message })
    this.#report(place, { ...finding, severity: 'warning' })
  }

  /** The field goes on in other words, which is worth telling. */
  translate(place: Place, finding: Omit<Finding, 'severity'>): undefined {
    this.remember(place, { outcome: 'translated', reason: finding.message })
    this.#report(place, { ...finding, severity: 'warning' })
  }

  /** A text of the entry with its variables in the canonical syntax. */
  text(place: Place, text: string, slot: SlotName): string {
    const syntax = this.#syntaxOf(slot)
    if (syntax === 'canonical') return this.#canonicalText(place, text)
    const pieces = readVariables(text, syntax).filter((piece): piece is Usable => {
      const finding = brokenVariable(piece)
      if (finding !== undefined) this.refuse(place, finding)
      return finding === undefined
    })
    const hasLiteral = pieces.some((piece) => piece.kind === 'text' && looksLikeVariable.test(piece.text))
    if (hasLiteral && syntax.escape === undefined) this.#warnOfLiteral(place)
    const canonical = printVariables(pieces)
    if (canonical !== text)
      this.remember(place, { outcome: 'translated', reason: 'its variables are written as in a spec' })
    return canonical
  }

  /** What only `resolveSpec` can know to be wrong is left to it. */
  #canonicalText(place: Place, text: string): string {
    for (const piece of parseVariables(text)) {
      const finding = piece.kind === 'unknown' ? undefined : brokenVariable(piece)
      if (finding !== undefined) this.refuse(place, finding)
    }
    return text
  }

  #warnOfLiteral(place: Place): void {
    this.translate(place, {
      code: 'variable_literal',
      message: `a text looks as if it had a variable, which ${this.dialectTitle} does not replace here: it stays text`,
      fix: 'write the value itself, or the variable as this host writes it',
    })
  }

  #syntaxOf(slot: SlotName): VariableSyntax | 'canonical' {
    const { dialect, platform } = this.#options
    return syntaxOf(dialect.variables, slot, platform)
  }

  /** Says what became of a place without a word to anybody else. The worst of several is what became of it. */
  remember(place: Place, outcome: FieldOutcome): void {
    const known = this.outcomes.get(place.pointer)
    if (known === undefined || severity[outcome.outcome] > severity[known.outcome])
      this.outcomes.set(place.pointer, { ...outcome, place })
  }

  #report(place: Place, finding: Finding): void {
    this.#options.report(place, { ...finding, message: `server "${this.server}": ${finding.message}` })
  }
}

const severity: Readonly<Record<Outcome, number>> = { kept: 0, translated: 1, dropped: 2, refused: 3 }

/** The syntax of a dialect for the text of one field. */
export function syntaxOf(
  variables: Dialect['variables'],
  slot: SlotName,
  platform: string,
): VariableSyntax | 'canonical' {
  const name = variables[slot] ?? variables.everything ?? 'none'
  if (name === 'canonical') return name
  return name === 'shell' && platform === 'win32' ? syntaxes.shellOnWindows : syntaxes[name]
}

type Usable = Variable | { readonly kind: 'text'; readonly text: string }

const looksLikeVariable = /\$\{[A-Za-z_][\w.]*(?::-[^}]*)?\}|\{(?:env|file):[^}]+\}|\$\{\{/

/** What stands somewhere, in words that give no value away. */
export function kindOf({ node }: Place): string {
  switch (node.type) {
    case 'object':
      return 'an object'
    case 'array':
      return node.children?.length === 0 ? 'an empty array' : 'an array'
    case 'string':
      return node.value === '' ? 'an empty string' : 'a string'
    case 'number':
      return 'a number'
    case 'boolean':
      return String(node.value)
    case 'null':
    case 'property':
      return 'null'
  }
}

/** How a field is named in a message. */
export function quoted(field: Field): string {
  return `"${field.key}"`
}
