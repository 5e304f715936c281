import type { InputSpec } from '../spec/input-spec.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { parseVariables, type Piece, printVariables, type Variable } from '../variables/variables.ts'

/** A variable whose value a person can enter before the definition is saved. */
export interface AskedVariable extends Omit<InputSpec, 'id'> {
  /** The variable as it is written between the braces: `input:api-key`, `env:TOKEN` or `secret:token`. */
  readonly variable: string
}

/** The inputs, environment variables and secrets that a definition uses, in the order of their first use. */
export function askedVariables(spec: ServerSpec): readonly AskedVariable[] {
  const pieces = textsIn(ownTexts(spec)).flatMap((text) => parseVariables(text))
  const asked = new Map(pieces.filter(isAsked).map((piece) => [keyOf(piece), piece]))
  return [...asked].map(([variable, piece]) => ({ variable, ...declarationOf(piece, spec) }))
}

/**
 * Replaces variables of a definition by the values that a person entered, by the names of `AskedVariable`. Others stay. A value is
 * text: what looks like a variable in it is not replaced later.
 */
export function answerVariables(spec: ServerSpec, answers: ReadonlyMap<string, string>): ServerSpec {
  const answered = mapTexts(ownTexts(spec), (text) => answeredText(text, answers))
  return { ...spec, ...(answered as Partial<ServerSpec>) } as ServerSpec
}

type Asked = Variable & { readonly kind: 'input' | 'env' | 'secret' }

function isAsked(piece: Piece): piece is Asked {
  return piece.kind === 'input' || piece.kind === 'env' || piece.kind === 'secret'
}

function keyOf({ kind, name }: Asked): string {
  return `${kind}:${name}`
}

function declarationOf(piece: Asked, { inputs = [] }: ServerSpec): Omit<InputSpec, 'id'> {
  if (piece.kind === 'secret') return { isSecret: true }
  if (piece.kind === 'env')
    return { isSecret: true, ...(piece.fallback === undefined ? {} : { default: piece.fallback }) }
  const { id: _id, ...declared } = inputs.find(({ id }) => id === piece.name) ?? { id: piece.name }
  return declared
}

/** The fields in which variables are replaced. */
function ownTexts(spec: ServerSpec): object {
  if (spec.transport !== 'stdio') {
    const { url, headers, auth } = spec
    return { url, headers, ...(auth === undefined ? {} : { auth }) }
  }
  const { command, args, env } = spec
  return { command, args, env }
}

function answeredText(text: string, answers: ReadonlyMap<string, string>): string {
  const pieces = parseVariables(text)
  if (!pieces.every(isWhole)) return text
  const replaced = pieces.map((piece) => {
    const answer = isAsked(piece) ? answers.get(keyOf(piece)) : undefined
    return answer === undefined ? piece : ({ kind: 'text', text: answer } as const)
  })
  const isChanged = replaced.some((piece, index) => piece !== pieces[index])
  return isChanged ? printVariables(merged(replaced)) : text
}

type Whole = Variable | { readonly kind: 'text'; readonly text: string }

function isWhole(piece: Piece): piece is Whole {
  return !['unknown', 'nested', 'cyclic', 'unterminated'].includes(piece.kind)
}

/** A `$` at the end of one text and a brace at the start of the next are escaped only if they are one text. */
function merged(pieces: readonly Whole[]): readonly Whole[] {
  const list: Whole[] = []
  for (const piece of pieces) {
    const last = list.at(-1)
    if (piece.kind !== 'text' || last?.kind !== 'text') list.push(piece)
    else list[list.length - 1] = { kind: 'text', text: last.text + piece.text }
  }
  return list
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}
