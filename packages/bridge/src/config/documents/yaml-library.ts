import type * as Yaml from 'yaml'
import { lazyLibrary } from '../../lazy-library.ts'

// The functions of `yaml` that are used here. Loading it takes longer than most programs need for everything else.
const yaml = lazyLibrary<typeof Yaml>('yaml')

export const parseDocument: typeof Yaml.parseDocument = (text, options) => yaml().parseDocument(text, options)

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
