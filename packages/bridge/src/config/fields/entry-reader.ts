import type { DocumentLocation, Field, Finding, Report } from '../documents/config-document.ts'
import type { SpecFieldName, SpecFields } from '../spec/spec-fields.ts'
import {
  readVariables,
  type SyntaxName,
  type VariableSyntax,
  variableSyntaxes,
} from '../variables/variable-syntaxes.ts'
import { parseVariables, printVariables, type Variable } from '../variables/variables.ts'
import { brokenVariable } from './broken-variable.ts'
import type { FieldOutcome } from './field-rule.ts'

/** The outcome of a field and its reason. */
export interface ExplainedOutcome {
  readonly outcome: FieldOutcome
  readonly reason: string
}

export type Explain = (
  server: string,
  location: DocumentLocation,
  position: { readonly line: number; readonly column: number },
  outcome: ExplainedOutcome,
) => void

/** Variable syntax by canonical field; `everything` applies to all other fields. A field without a syntax has no variables. */
export type DialectVariables = Partial<
  Readonly<Record<SpecFieldName | 'everything', SyntaxName | 'canonical'>>
>

/** The part of a dialect that reading an entry needs. */
export interface EntryDialect {
  readonly title: string
  readonly variables: DialectVariables
}

export interface EntryReaderOptions {
  readonly server: string
  readonly location: DocumentLocation
  readonly dialect: EntryDialect
  readonly platform: string
  readonly report: Report
}

/** State of reading one server entry. */
export class EntryReader {
  readonly server: string
  readonly location: DocumentLocation
  /** Values read so far; set by the field rules. */
  readonly specFields: SpecFields = {}
  readonly #options: EntryReaderOptions
  /** Recorded outcomes by JSON pointer. */
  readonly outcomes: Map<string, ExplainedOutcome & { readonly location: DocumentLocation }> = new Map()
  #isRefused = false

  constructor(options: EntryReaderOptions) {
    this.server = options.server
    this.location = options.location
    this.#options = options
  }

  /** Whether the server must not be used. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  get dialectTitle(): string {
    return this.#options.dialect.title
  }

  /** Reports an error; the server is not used. */
  refuse(location: DocumentLocation, finding: Omit<Finding, 'severity'>): undefined {
    this.#isRefused = true
    this.remember(location, { outcome: 'refused', reason: finding.message })
    this.#report(location, { ...finding, severity: 'error' })
  }

  /** Reports a value of the wrong kind. */
  invalid(
    location: DocumentLocation,
    what: string,
    expected: string,
    found: string = kindOf(location),
  ): undefined {
    return this.refuse(location, {
      code: 'field_invalid',
      message: `${what} must be ${expected}, but is ${found}`,
      found,
      expected,
      fix: 'correct the value',
    })
  }

  /** Reports a value that is not one of the allowed words. */
  invalidWord(location: DocumentLocation, what: string, words: readonly string[]): undefined {
    const found = typeof location.node.value === 'string' ? 'a different word' : kindOf(location)
    return this.invalid(location, what, `one of ${words.join(', ')}`, found)
  }

  /** Reports a field that is ignored. */
  drop(location: DocumentLocation, finding: Omit<Finding, 'severity'>): undefined {
    this.remember(location, { outcome: 'dropped', reason: finding.message })
    this.#report(location, { ...finding, severity: 'warning' })
  }

  /** Reports a field that is translated, with a warning. */
  translate(location: DocumentLocation, finding: Omit<Finding, 'severity'>): undefined {
    this.remember(location, { outcome: 'translated', reason: finding.message })
    this.#report(location, { ...finding, severity: 'warning' })
  }

  /** Converts the variables of a text to the canonical syntax. */
  text(location: DocumentLocation, text: string, specField: SpecFieldName): string {
    const syntax = this.#syntaxOf(specField)
    if (syntax === 'canonical') return this.#canonicalText(location, text)
    const pieces = readVariables(text, syntax).filter((piece): piece is Usable => {
      const finding = brokenVariable(piece)
      if (finding !== undefined) this.refuse(location, finding)
      return finding === undefined
    })
    const hasLiteral = pieces.some((piece) => piece.kind === 'text' && looksLikeVariable(piece.text))
    if (hasLiteral && syntax.escape === undefined) this.#warnAboutLiteral(location)
    const canonical = printVariables(pieces)
    if (canonical !== text)
      this.remember(location, {
        outcome: 'translated',
        reason: 'its variables are replaced as the host does',
      })
    return canonical
  }

  /** Unknown variables are reported by `resolveSpec`. */
  #canonicalText(location: DocumentLocation, text: string): string {
    for (const piece of parseVariables(text)) {
      const finding = piece.kind === 'unknown' ? undefined : brokenVariable(piece)
      if (finding !== undefined) this.refuse(location, finding)
    }
    return text
  }

  #warnAboutLiteral(location: DocumentLocation): void {
    this.translate(location, {
      code: 'variable_literal',
      message: `a text looks like a variable that ${this.dialectTitle} does not replace: it is kept as text`,
      fix: 'write the value itself, or use the variable syntax of the host',
    })
  }

  #syntaxOf(specField: SpecFieldName): VariableSyntax | 'canonical' {
    const { dialect, platform } = this.#options
    return syntaxOf(dialect.variables, specField, platform)
  }

  /** Records the outcome of a location without an issue. Of several outcomes the most severe is kept. */
  remember(location: DocumentLocation, outcome: ExplainedOutcome): void {
    const known = this.outcomes.get(location.pointer)
    if (known === undefined || severity[outcome.outcome] > severity[known.outcome])
      this.outcomes.set(location.pointer, { ...outcome, location })
  }

  #report(location: DocumentLocation, finding: Finding): void {
    this.#options.report(location, { ...finding, message: `server "${this.server}": ${finding.message}` })
  }
}

const severity: Readonly<Record<FieldOutcome, number>> = { kept: 0, translated: 1, dropped: 2, refused: 3 }

/** The variable syntax of a dialect for one field. */
export function syntaxOf(
  variables: DialectVariables,
  specField: SpecFieldName,
  platform: string,
): VariableSyntax | 'canonical' {
  const name = variables[specField] ?? variables.everything ?? 'none'
  if (name === 'canonical') return name
  return name === 'gemini' && platform === 'win32' ? variableSyntaxes.geminiOnWindows : variableSyntaxes[name]
}

type Usable = Variable | { readonly kind: 'text'; readonly text: string }

const withoutBraces = /\$\{\{|\$[A-Z][A-Z0-9_]{2,}|%[A-Z][A-Z0-9_]{2,}%/
/** What opens a variable that the next closing brace ends. */
const opened = /\$\{[A-Za-z_][\w.]*[:}]|\{(?:env|file):[^}]/

function looksLikeVariable(text: string): boolean {
  return withoutBraces.test(text) || opened.test(text.slice(0, text.lastIndexOf('}') + 1))
}

/** Describes the kind of a value without revealing it. */
export function kindOf({ node }: DocumentLocation): string {
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

/** The name of a field in messages. */
export function quoted(field: Field): string {
  return `"${field.key}"`
}
