import type * as Yaml from 'yaml'
import { lazyLibrary } from '../../lazy-library.ts'

// The functions of `yaml` that are used here. Loading it takes longer than most programs need for everything else.
const yaml = lazyLibrary<typeof Yaml>('yaml')

export const parseDocument: typeof Yaml.parseDocument = (text, options) => yaml().parseDocument(text, options)

/** What a document may have at most. */
export interface SyntaxLimits {
  readonly levels: number
  /** Words and signs, and backslashes, each of which can be an error. */
  readonly tokens: number
}

/**
 * The limit that a text exceeds, if it does. Parses the syntax only, which is not recursive and stops there: what builds the
 * document is recursive, and a regular expression that is compiled near the end of the stack ends the process.
 */
export function exceededLimit(text: string, limits: SyntaxLimits): keyof SyntaxLimits | undefined {
  const { Lexer, Parser } = yaml()
  const parser = new Parser()
  let tokens = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 1))
    if ((tokens += 1) > limits.tokens) return 'tokens'
  for (const part of new Lexer().lex(text)) {
    if ((tokens += 1) > limits.tokens) return 'tokens'
    for (const _token of parser.next(part)) if (parser.stack.length > limits.levels) return 'levels'
    if (parser.stack.length > limits.levels) return 'levels'
  }
  return undefined
}

export function stringify(value: unknown, options: Yaml.ToStringOptions): string {
  return yaml().stringify(value, options)
}

export function isAlias(node: unknown): node is Yaml.Alias {
  return yaml().isAlias(node)
}

export function isCollection(node: unknown): node is Yaml.YAMLMap | Yaml.YAMLSeq {
  return yaml().isCollection(node)
}

export function isMap(node: unknown): node is Yaml.YAMLMap {
  return yaml().isMap(node)
}

export function isScalar(node: unknown): node is Yaml.Scalar {
  return yaml().isScalar(node)
}

export function isSeq(node: unknown): node is Yaml.YAMLSeq {
  return yaml().isSeq(node)
}
