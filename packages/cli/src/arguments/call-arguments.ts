import type { JsonSchema } from '@toolbridge/client'
import {
  isJsonObject,
  isTooDeep,
  MAX_DEPTH,
  pointerSteps,
  schemaProblems,
  SchemaReader,
  suggestName,
} from '@toolbridge/client/internal'
import { parametersOf, signatureOf } from './parameters.ts'
import { isList, typedList, type TypedValue, typedValue } from './typed-value.ts'
import type { GivenArguments } from './given-arguments.ts'
import { UsageError } from '../usage-error.ts'

type Arguments = Readonly<Record<string, unknown>>

/** What arguments are for. */
export interface ArgumentTarget {
  /** Name of the tool or prompt, for messages. */
  readonly name: string
  readonly schema: JsonSchema
  /** Whether names that the schema does not have are passed on. */
  readonly allowsUnknown?: boolean
}

/** Converts typed arguments to the types of a schema and validates them. Throws with a line per invalid argument. */
export function callArguments(given: GivenArguments, target: ArgumentTarget): Arguments {
  const problems = new Map<string, string>()
  const args = withPairs(given, target, problems)
  for (const [name, problem] of unknownNames(given.whole, target)) problems.set(name, problem)
  for (const [name, problem] of missingNames(args, target, problems)) problems.set(name, problem)
  const lines = [...problems].map(([name, problem]) => `${name}: ${problem}`)
  const all = lines.length === 0 ? invalidValues(args, target) : lines
  if (all.length === 0) return args
  throw new UsageError(`invalid arguments for ${target.name}:`, [
    ...all.map((line) => `  ${line}`),
    `Expected: ${signatureOf(target.name, parametersOf(target.schema))}`,
  ])
}

/** The arguments that can be converted, whatever is wrong with the others. */
export function usableArguments(given: GivenArguments, target: ArgumentTarget): Arguments {
  return withPairs(given, target, new Map())
}

type Problems = Map<string, string>

function withPairs({ whole, pairs }: GivenArguments, target: ArgumentTarget, problems: Problems): Arguments {
  const reader = new SchemaReader(target.schema)
  const texts = new Map<string, readonly string[]>()
  for (const { name, text } of pairs) texts.set(name, [...(texts.get(name) ?? []), text])
  let args = whole
  for (const [name, given] of texts) {
    const found = locate(name, target, reader)
    const typed = 'problem' in found ? found : typedTexts(given, found.schema, reader)
    if ('problem' in typed) problems.set(name, typed.problem)
    else if ('path' in found) args = withValue(args, found.path, typed.value)
  }
  return args
}

function typedTexts(texts: readonly string[], schema: unknown, reader: SchemaReader): TypedValue {
  const [first = '', ...others] = texts
  if (others.length === 0) return typedValue(first, schema, reader)
  if (isList(schema, reader)) return typedList(texts, schema, reader)
  return { problem: 'is given more than once, and is not a list' }
}

interface Located {
  readonly path: readonly string[]
  readonly schema: unknown
}

/** Finds the property that a name or a path such as `filter.field` stands for. A name may contain dots itself. */
function locate(
  name: string,
  { schema: root, allowsUnknown = false }: ArgumentTarget,
  reader: SchemaReader,
): Located | { readonly problem: string } {
  let [schema, path, rest]: [unknown, readonly string[], string] = [root, [], name]
  while (rest !== '') {
    const properties = reader.properties(schema)
    const step = properties.has(rest) ? rest : (rest.split('.')[0] ?? rest)
    if (!properties.has(step) && !allowsUnknown && !reader.isOpen(schema))
      return { problem: unknownProblem(step, [...properties.keys()]) }
    schema = properties.get(step)
    path = [...path, step]
    rest = rest.slice(step.length + 1)
  }
  return { path, schema }
}

/** A copy of an object with a value at a path. */
export function withValue(
  object: Arguments,
  [step = '', ...rest]: readonly string[],
  value: unknown,
): Arguments {
  const inner = Object.hasOwn(object, step) ? object[step] : undefined
  const next = rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value)
  return { ...object, [step]: next }
}

function* unknownNames(
  whole: Arguments,
  { schema, allowsUnknown = false }: ArgumentTarget,
): Generator<readonly [string, string]> {
  const reader = new SchemaReader(schema)
  if (allowsUnknown || reader.isOpen(schema)) return
  const known = reader.properties(schema)
  for (const name of Object.keys(whole))
    if (!known.has(name)) yield [name, unknownProblem(name, [...known.keys()])]
}

function unknownProblem(name: string, known: readonly string[]): string {
  const suggestion = suggestName(name, known)
  return suggestion === undefined ? 'unknown argument' : `unknown argument; ${suggestion}`
}

function* missingNames(
  args: Arguments,
  { schema }: ArgumentTarget,
  problems: Problems,
): Generator<readonly [string, string]> {
  for (const { name, type, required } of parametersOf(schema))
    if (required && !Object.hasOwn(args, name) && !problems.has(name)) yield [name, `missing (${type})`]
}

/** What else is wrong by the schema; nothing if the schema cannot be used, which is for the server to judge. */
function invalidValues(args: Arguments, { schema }: ArgumentTarget): readonly string[] {
  if (isTooDeep(args)) return [`the arguments are nested deeper than ${MAX_DEPTH} levels`]
  try {
    return schemaProblems(schema, args).map(problemLine)
  } catch {
    return []
  }
}

/** `/filter/field must be string` as `filter.field: must be string`. */
function problemLine(problem: string): string {
  const [, pointer, rest] = /^(\/\S+) (.*)$/s.exec(problem) ?? []
  if (pointer === undefined) return problem.replace(/^it /, 'the arguments ')
  return `${pointerSteps(pointer).join('.')}: ${rest}`
}
