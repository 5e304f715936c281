/** One part of a text that may hold variables. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'env'; readonly name: string; readonly fallback?: string }
  | { readonly kind: 'workspaceFolder' }
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'nested'; readonly name: string }
  | { readonly kind: 'unterminated' }

/**
 * Takes a text apart into literal text and variables: `${env:NAME}`, `${env:NAME:-default}`, `${workspaceFolder}`, and
 * `$${` for a literal `${`. What a variable is replaced by is never looked at again.
 */
export function parseVariables(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let literal = ''
  let at = 0
  while (at < text.length) {
    if (text.startsWith('$${', at)) {
      literal += '${'
      at += 3
    } else if (text.startsWith('${', at)) {
      if (literal !== '') pieces.push({ kind: 'text', text: literal })
      literal = ''
      const end = text.indexOf('}', at)
      if (end === -1) return [...pieces, { kind: 'unterminated' }]
      pieces.push(parseVariable(text.slice(at + 2, end)))
      at = end + 1
    } else {
      literal += text[at]
      at += 1
    }
  }
  return literal === '' ? pieces : [...pieces, { kind: 'text', text: literal }]
}

function parseVariable(inside: string): Piece {
  if (inside === 'workspaceFolder') return { kind: 'workspaceFolder' }
  const [, name, fallback] = /^env:([^:]+?)(?::-(.*))?$/s.exec(inside) ?? []
  if (name === undefined) return { kind: 'unknown', name: inside }
  if (inside.includes('${')) return { kind: 'nested', name }
  return fallback === undefined ? { kind: 'env', name } : { kind: 'env', name, fallback }
}
