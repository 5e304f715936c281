import { withValue } from './call-arguments.ts'
import type { GivenArguments } from './given-arguments.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The arguments that typed words may stand for while the types are unknown: values as text, and as JSON where they are. */
export function possibleArguments(given: GivenArguments): readonly [Arguments, Arguments] {
  return [readWith(given, (text) => text), readWith(given, jsonOrText)]
}

function readWith({ whole, pairs }: GivenArguments, read: (text: string) => unknown): Arguments {
  const names = [...new Set(pairs.map(({ name }) => name))]
  return names.reduce((args, name) => {
    const values = pairs.filter((pair) => pair.name === name).map(({ text }) => read(text))
    return withValue(args, name.split('.'), values.length === 1 ? values[0] : values)
  }, whole)
}

function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return text
  }
}
