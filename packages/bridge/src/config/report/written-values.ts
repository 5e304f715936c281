import { safeEnv } from '@toolbridge/client/stdio'
import type { ServerSpec } from '../spec/server-spec.ts'
import { specFieldsOf } from '../spec/spec-fields.ts'
import { type Piece, parseVariables } from '../variables/variables.ts'

/** The variables in all values of a definition. */
export function variablesIn(spec: ServerSpec): readonly Piece[] {
  const { inputs: _inputs, headersHelper: _helper, ...fields } = specFieldsOf(spec)
  return textsIn(fields).flatMap(parseVariables)
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** A text as written, without the defaults of its variables, which may be secrets. */
export function withoutDefaults(text: string): string {
  return parseVariables(text).map(written).join('')
}

function written(piece: Piece): string {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'predefined':
      return `\${${piece.name}}`
    case 'unterminated':
      return '…'
    case 'env':
    case 'input':
    case 'secret':
    case 'context':
    case 'file':
    case 'unknown':
    case 'nested':
    case 'cyclic':
      return `\${${piece.kind}:${piece.name}}`
  }
}

/** Whether a text consists of literals, paths of the workspace and variables that every program gets. */
export function isPlain(text: string): boolean {
  return parseVariables(text).every(
    (piece) =>
      piece.kind === 'text' ||
      piece.kind === 'predefined' ||
      (piece.kind === 'env' && Object.hasOwn(safeEnv({ [piece.name]: '/' }, process.platform), piece.name)),
  )
}

/** A URL as written, without credentials, query, fragment, and path segments that may be keys. */
export function withoutKeys(url: string): string {
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)?([^?#]*)/i.exec(withoutDefaults(url)) ?? []
  const [host = '', ...path] = rest.split('/')
  const shown = path.map((segment) => (isWord(segment) ? segment : '…'))
  return (
    [scheme + host.slice(host.lastIndexOf('@') + 1), ...shown].join('/') + (url.includes('?') ? '?…' : '')
  )
}

/** Some services put a key into the path. Words, versions and variables are none. */
function isWord(segment: string): boolean {
  if (segment.length > 20) return /^\$\{[^}]*\}$/.test(segment)
  return /^(?:|[a-z]+(?:[._-][a-z]+)*|v\d+(?:\.\d+)*|\$\{[^}]*\})$/.test(segment)
}
