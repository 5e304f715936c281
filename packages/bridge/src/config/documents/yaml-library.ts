import type * as Yaml from 'yaml'
import { lazyLibrary } from '../../lazy-library.ts'

// The functions of `yaml` that are used here. Loading it takes longer than most programs need for everything else.
const yaml = lazyLibrary<typeof Yaml>('yaml')

export const parseDocument: typeof Yaml.parseDocument = (text, options) => yaml().parseDocument(text, options)

/**
 * Whether collections are nested deeper than that. Parses the syntax only, which is not recursive: what builds the document is, and a
 * regular expression that is compiled near the end of the stack ends the process.
 */
export function isNestedDeeper(text: string, levels: number): boolean {
  const { Lexer, Parser } = yaml()
  const parser = new Parser()
  for (const part of new Lexer().lex(text)) {
    for (const _token of parser.next(part)) if (parser.stack.length > levels) return true
    if (parser.stack.length > levels) return true
  }
  return false
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
