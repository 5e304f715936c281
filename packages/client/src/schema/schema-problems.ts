import { isJsonObject, type JsonObject } from '../jsonrpc/json.ts'
import type { JsonSchema } from '../model/tool.ts'
import { pointerSteps } from './json-pointer.ts'
import { assertions } from './assertions.ts'
import { safeRegExp } from './safe-reg-exp.ts'

/** Applied schemas and their names and choices, per check: a small schema can ask for an exponential number. */
const MAX_STEPS = 500_000
const MAX_PROBLEMS = 5

/**
 * Returns what is wrong with a value according to a JSON Schema (2020-12, or draft 7), at most five problems. Formats are
 * not checked. Throws if the schema is malformed, refers to another document, is too expensive to check, or uses
 * `unevaluatedProperties`, `unevaluatedItems` or dynamic references.
 */
export function schemaProblems(schema: JsonSchema, value: unknown): readonly string[] {
  return new SchemaCheck(schema).problems(schema, value, '').slice(0, MAX_PROBLEMS)
}

type Problems = readonly string[]
type Applicator = (check: SchemaCheck, schema: JsonObject, value: unknown, path: string) => Problems

const NONE: Problems = []

class SchemaCheck {
  readonly #root: unknown
  #steps = 0

  constructor(root: unknown) {
    this.#root = root
  }

  problems(schema: unknown, value: unknown, path: string): Problems {
    this.spend(1)
    if (schema === true) return NONE
    if (schema === false) return [problem(path, 'is not allowed')]
    if (!isJsonObject(schema)) throw new TypeError('a schema must be an object or a boolean')
    let found = NONE
    for (const keyword of Object.keys(schema)) {
      const more = this.#violations(keyword, schema, value, path)
      if (more.length > 0) found = [...found, ...more]
    }
    return found
  }

  /** Counts work. Throws when it is too much. */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) throw new RangeError('the schema is too expensive to check')
  }

  isValid(schema: unknown, value: unknown, path: string): boolean {
    return this.problems(schema, value, path).length === 0
  }

  /** Resolves a reference within the document: `#`, a JSON pointer or an anchor. */
  target(reference: unknown): unknown {
    if (typeof reference !== 'string' || !reference.startsWith('#'))
      throw new TypeError('a schema refers to another document')
    const fragment = decodeURIComponent(reference.slice(1))
    return fragment === '' || fragment.startsWith('/')
      ? atPointer(this.#root, fragment)
      : anchored(this.#root, fragment)
  }

  #violations(keyword: string, schema: JsonObject, value: unknown, path: string): Problems {
    if (LISTS.has(keyword)) this.spend(sizeOf(schema[keyword]))
    if (UNSUPPORTED.has(keyword)) throw new TypeError(`${keyword} is not supported`)
    if (Object.hasOwn(applicators, keyword)) return applicators[keyword]?.(this, schema, value, path) ?? NONE
    if (!Object.hasOwn(assertions, keyword)) return NONE
    const violation = assertions[keyword]?.(schema[keyword], value)
    return violation === undefined ? NONE : [problem(path, violation)]
  }
}

const UNSUPPORTED: ReadonlySet<string> = new Set([
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
])

/** The keywords whose names and choices are all looked at for each value. */
const LISTS: ReadonlySet<string> = new Set([
  'enum',
  'required',
  'properties',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
])

/** The keywords that apply further schemas. */
const applicators: Readonly<Record<string, Applicator>> = {
  $ref: (check, { $ref }, value, path) => check.problems(check.target($ref), value, path),
  allOf: (check, { allOf }, value, path) =>
    listOf(allOf).flatMap((schema) => check.problems(schema, value, path)),
  anyOf: (check, { anyOf }, value, path) =>
    listOf(anyOf).some((schema) => check.isValid(schema, value, path))
      ? NONE
      : [problem(path, 'must match a schema of anyOf')],
  oneOf: (check, { oneOf }, value, path) =>
    listOf(oneOf).filter((schema) => check.isValid(schema, value, path)).length === 1
      ? NONE
      : [problem(path, 'must match exactly one schema of oneOf')],
  not: (check, { not }, value, path) =>
    check.isValid(not, value, path) ? [problem(path, 'must not match the schema of not')] : NONE,
  if: (check, schema, value, path) => {
    const branch = check.isValid(schema['if'], value, path) ? schema['then'] : schema['else']
    return branch === undefined ? NONE : check.problems(branch, value, path)
  },
  properties: (check, { properties }, value, path) =>
    entriesOf(properties).flatMap(([name, schema]) =>
      isJsonObject(value) && Object.hasOwn(value, name)
        ? check.problems(schema, value[name], below(path, name))
        : NONE,
    ),
  patternProperties: (check, { patternProperties }, value, path) =>
    entriesOf(patternProperties).flatMap(([pattern, schema]) => {
      const matcher = safeRegExp(pattern)
      check.spend(sizeOf(value))
      return entriesOf(value).flatMap(([name, item]) =>
        matcher.test(name) ? check.problems(schema, item, below(path, name)) : NONE,
      )
    }),
  additionalProperties: (check, schema, value, path) => {
    const patterns = entriesOf(schema['patternProperties']).map(([pattern]) => safeRegExp(pattern))
    const known = new Set(entriesOf(schema['properties']).map(([name]) => name))
    check.spend(known.size + patterns.length * sizeOf(value))
    return entriesOf(value).flatMap(([name, item]) =>
      known.has(name) || patterns.some((pattern) => pattern.test(name))
        ? NONE
        : check.problems(schema['additionalProperties'], item, below(path, name)),
    )
  },
  propertyNames: (check, { propertyNames }, value, path) =>
    entriesOf(value).flatMap(([name]) => check.problems(propertyNames, name, below(path, name))),
  dependentSchemas: (check, { dependentSchemas }, value, path) =>
    entriesOf(dependentSchemas).flatMap(([name, schema]) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? check.problems(schema, value, path) : NONE,
    ),
  // Draft 7: a list of names, or a schema.
  dependencies: (check, { dependencies }, value, path) =>
    entriesOf(dependencies).flatMap(([name, wanted]) => {
      if (!isJsonObject(value) || !Object.hasOwn(value, name)) return NONE
      return check.problems(Array.isArray(wanted) ? { required: wanted } : wanted, value, path)
    }),
  prefixItems: (check, { prefixItems }, value, path) => prefixProblems(check, prefixItems, value, path),
  items: (check, { items, prefixItems }, value, path) =>
    Array.isArray(items)
      ? prefixProblems(check, items, value, path)
      : restProblems(check, items, value, path, Array.isArray(prefixItems) ? prefixItems.length : 0),
  // Draft 7: only beside a list of schemas.
  additionalItems: (check, { additionalItems, items }, value, path) =>
    Array.isArray(items) ? restProblems(check, additionalItems, value, path, items.length) : NONE,
  contains: (check, { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY }, value, path) => {
    if (!Array.isArray(value)) return NONE
    const count = value.filter((item) => check.isValid(contains, item, path)).length
    return count >= Number(minContains) && count <= Number(maxContains)
      ? NONE
      : [problem(path, 'must contain the right number of items that match contains')]
  },
}

function prefixProblems(check: SchemaCheck, schemas: unknown, value: unknown, path: string): Problems {
  if (!Array.isArray(value)) return NONE
  return listOf(schemas)
    .slice(0, value.length)
    .flatMap((schema, index) => check.problems(schema, value[index], below(path, String(index))))
}

function restProblems(
  check: SchemaCheck,
  schema: unknown,
  value: unknown,
  path: string,
  start: number,
): Problems {
  if (!Array.isArray(value)) return NONE
  return value
    .slice(start)
    .flatMap((item, index) => check.problems(schema, item, below(path, String(start + index))))
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('a schema keyword must be a list')
  return value
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return isJsonObject(value) ? Object.keys(value).length : 0
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : []
}

function atPointer(root: unknown, pointer: string): unknown {
  let found = root
  for (const name of pointerSteps(pointer)) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name))
      throw new TypeError('a schema refers to a part that is missing')
    found = (found as JsonObject)[name]
  }
  return found
}

function anchored(root: unknown, anchor: string): unknown {
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isJsonObject(node) && (node['$anchor'] === anchor || node['$id'] === `#${anchor}`)) return node
    if (node !== null && typeof node === 'object') pending.push(...Object.values(node))
  }
  throw new TypeError('a schema refers to an anchor that is missing')
}

function below(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function problem(path: string, text: string): string {
  return `${path || 'it'} ${text}`
}
