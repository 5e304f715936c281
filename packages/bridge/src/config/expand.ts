import type { Issue } from './issue.ts'
import type { Authority, SpecSource } from './spec.ts'
import { type Piece, parseVariables } from './variables.ts'

export interface ExpansionPlace {
  readonly server: string
  readonly source: SpecSource
  /** JSON pointer of the field inside the server's entry. */
  readonly path: string
}

export interface Expansion {
  readonly text: string
  /** The text was made of variables alone, and none of them is set. */
  readonly isOnlyUnsetVariables: boolean
  /** A variable could not be understood or may not be used; the text means nothing. */
  readonly isBroken: boolean
  readonly issues: readonly Issue[]
}

/** Replaces the variables of one field. A variable that is not set becomes nothing, with a warning. */
export function expand(value: string, authority: Authority, place: ExpansionPlace): Expansion {
  const parts = parseVariables(value).map((piece) => expandPiece(piece, authority, place))
  const issues = parts.flatMap((part) => part.issue ?? [])
  return {
    text: parts.map((part) => part.text ?? '').join(''),
    isOnlyUnsetVariables: parts.length > 0 && parts.every((part) => part.text === undefined),
    isBroken: issues.some(({ severity }) => severity === 'error'),
    issues,
  }
}

interface Part {
  readonly text?: string
  readonly issue?: Issue
}

function expandPiece(piece: Piece, authority: Authority, place: ExpansionPlace): Part {
  switch (piece.kind) {
    case 'text':
      return { text: piece.text }
    case 'env':
      return expandEnv(piece, authority, place)
    case 'workspaceFolder':
      if (authority.kind === 'local') return { text: authority.workspaceFolder }
      return { issue: notForSession(place, '${workspaceFolder}') }
    case 'unknown':
      return { issue: unknownVariable(place, piece.name, authority) }
    case 'nested':
      return { issue: nestedVariable(place, piece.name) }
    case 'unterminated':
      return { issue: unterminated(place) }
  }
}

function expandEnv(
  piece: Piece & { readonly kind: 'env' },
  authority: Authority,
  place: ExpansionPlace,
): Part {
  if (authority.kind === 'session') return { issue: notForSession(place, `\${env:${piece.name}}`) }
  const value = authority.env[piece.name]
  if (piece.fallback !== undefined) return { text: value || piece.fallback }
  return value === undefined ? { issue: unset(place, piece.name) } : { text: value }
}

function unset(place: ExpansionPlace, name: string): Issue {
  return issue(place, {
    code: 'variable_unset',
    severity: 'warning',
    message: `uses \${env:${name}}, which is not set`,
    fix: `set ${name}, or give it a default: \${env:${name}:-…}`,
  })
}

const writeItself = 'write the value itself; it is kept sealed'

function notForSession(place: ExpansionPlace, variable: string): Issue {
  return issue(place, {
    code: 'not_for_session',
    severity: 'error',
    message: `uses ${variable}, which belongs to the machine that runs the server`,
    fix: writeItself,
  })
}

function unknownVariable(place: ExpansionPlace, name: string, { kind }: Authority): Issue {
  if (name.startsWith('input:')) {
    return issue(place, {
      code: 'variable_unsupported',
      severity: 'error',
      message: 'uses ${input:…}, which is not supported yet',
      fix: kind === 'local' ? 'write ${env:NAME} instead, and set NAME' : writeItself,
    })
  }
  // Only what cannot be a piece of somebody's password is quoted.
  const isName = /^(?:[A-Z][A-Z_]*|userHome|pathSeparator)$/.test(name)
  const shown = isName ? name : `${/^(?:input|file|cmd|command|config):/.exec(name)?.[0] ?? ''}…`
  return issue(place, {
    code: 'variable_unknown',
    severity: 'error',
    message: `uses \${${shown}}, which is not a known variable`,
    fix: 'use ${env:NAME} or ${workspaceFolder}; for a literal ${ write $${',
  })
}

function nestedVariable(place: ExpansionPlace, name: string): Issue {
  return issue(place, {
    code: 'variable_nested',
    severity: 'error',
    message: `has a variable inside the default of \${env:${name}}`,
    fix: 'write the default as plain text',
  })
}

function unterminated(place: ExpansionPlace): Issue {
  return issue(place, {
    code: 'variable_unterminated',
    severity: 'error',
    message: 'has a ${ without its }',
    fix: 'close it with }; for a literal ${ write $${',
  })
}

function issue(place: ExpansionPlace, finding: Pick<Issue, 'code' | 'severity' | 'message' | 'fix'>): Issue {
  return {
    ...finding,
    file: place.source.file,
    path: place.source.pointer + place.path,
    message: `server "${place.server}": ${place.path.slice(1)} ${finding.message}`,
  }
}
