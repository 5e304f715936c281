import { withoutEnding } from '@toolbridge/client/internal'

/** Variables that are written as `${name}` without a prefix. */
export type PredefinedVariable =
  | 'workspaceFolder'
  | 'workspaceFolderBasename'
  | 'configFolder'
  | 'userHome'
  | 'pathSeparator'

/** A variable in a text. */
export type Variable =
  | { readonly kind: 'env'; readonly name: string; readonly fallback?: string }
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string }
  /** A path into the calling context. */
  | { readonly kind: 'context'; readonly name: string }
  | { readonly kind: 'predefined'; readonly name: PredefinedVariable }

/** A variable that cannot be replaced. */
export type BrokenVariable =
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'nested'; readonly name: string }
  | { readonly kind: 'cyclic'; readonly name: string }
  | { readonly kind: 'unterminated' }

/** A part of a text with variables. */
export type Piece = { readonly kind: 'text'; readonly text: string } | Variable | BrokenVariable

/**
 * Parses a text in the canonical syntax: `${env:NAME}`, `${env:NAME:-default}`, `${input:id}`, `${secret:NAME}`,
 * `${file:path}`, `${context:path}`, the predefined variables, `$${` for a literal `${`, and `${$}` for a `$` before a
 * variable.
 */
export function parseVariables(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let literal = ''
  let at = 0
  while (at < text.length) {
    if (text.startsWith('$${', at)) {
      literal += '${'
      at += 3
    } else if (text.startsWith('${$}', at)) {
      literal += '$'
      at += 4
    } else if (text.startsWith('${', at)) {
      if (literal !== '') pieces.push({ kind: 'text', text: literal })
      literal = ''
      const end = text.indexOf('}', at)
      if (end === -1) return [...pieces, { kind: 'unterminated' }]
      pieces.push(parseVariable(text.slice(at + 2, end)))
      at = end + 1
    } else {
      const next = text.indexOf('$', at + 1)
      const end = next === -1 ? text.length : next
      literal += text.slice(at, end)
      at = end
    }
  }
  return literal === '' ? pieces : [...pieces, { kind: 'text', text: literal }]
}

/** Prints pieces in the canonical syntax. */
export function printVariables(
  pieces: readonly (Piece & { kind: Exclude<Piece['kind'], BrokenVariable['kind']> })[],
): string {
  return pieces
    .map((piece, index) => {
      if (piece.kind !== 'text') return printVariable(piece)
      const escaped = piece.text.replaceAll('${', () => '$${')
      const isBeforeVariable = index + 1 < pieces.length
      return isBeforeVariable ? withLastDollarsEscaped(escaped) : escaped
    })
    .join('')
}

function withLastDollarsEscaped(text: string): string {
  const rest = withoutEnding(text, '$')
  return rest + '${$}'.repeat(text.length - rest.length)
}

function printVariable(variable: Variable): string {
  if (variable.kind === 'predefined') return `\${${variable.name}}`
  const fallback = variable.kind === 'env' && variable.fallback !== undefined ? `:-${variable.fallback}` : ''
  return `\${${variable.kind}:${variable.name}${fallback}}`
}

const locations: ReadonlySet<string> = new Set<PredefinedVariable>([
  'workspaceFolder',
  'workspaceFolderBasename',
  'configFolder',
  'userHome',
  'pathSeparator',
])

function parseVariable(inside: string): Piece {
  if (isPredefined(inside)) return { kind: 'predefined', name: inside }
  const [, kind, name] = /^(input|secret|file|context):(.+)$/s.exec(inside) ?? []
  if (name !== undefined && !name.includes('${'))
    return { kind: kind as 'input' | 'secret' | 'file' | 'context', name }
  const [, variable, fallback] = /^env:([^:]+?)(?::-(.*))?$/s.exec(inside) ?? []
  return variable === undefined ? { kind: 'unknown', name: inside } : environmentVariable(variable, fallback)
}

function isPredefined(name: string): name is PredefinedVariable {
  return locations.has(name)
}

/** An environment variable. A default that contains a variable is not supported. */
export function environmentVariable(name: string, fallback: string | undefined): Piece {
  if (name.includes('${')) return { kind: 'nested', name: '…' }
  if (fallback === undefined) return { kind: 'env', name }
  const [, inner] = /\$\{(?:env:)?([A-Za-z_]\w*)/.exec(fallback) ?? []
  if (inner === name) return { kind: 'cyclic', name }
  return fallback.includes('${') ? { kind: 'nested', name } : { kind: 'env', name, fallback }
}
