import { isJsonObject } from '@toolbridge/client/internal'
import { type DocumentLocation, fieldsOf, itemsOf } from '../documents/config-document.ts'
import type { Policy } from '../spec/policy.ts'
import { quoted } from './entry-reader.ts'
import type { FieldRule, FieldTable } from './field-rule.ts'
import { group } from './values.ts'

/** Policies of a server. Those about reading files are no matter of one entry. */
type ServerPolicy = Exclude<keyof Policy, `config.${string}`>

/** How a value is recognized: what is expected in words, and the check. */
interface Shape<T> {
  readonly expected: string
  readonly read: (value: unknown) => T | undefined
}

const shapes: { readonly [K in ServerPolicy]: Shape<Policy[K]> } = {
  'naming.separator': oneOf('-', '_', '.', '__', 'none'),
  'naming.sanitize': oneOf('kebab', 'identifier', 'namespace-only', 'none'),
  'naming.maxLength': wholeNumber(24, Number.MAX_SAFE_INTEGER),
  'naming.onCollision': oneOf('error', 'suffix', 'first-wins'),
  'vars.unset': oneOf('empty', 'keep', 'error', 'drop'),
  'vars.default': oneOf('unset', 'empty'),
  'vars.file': oneOf('error', 'keep'),
  'vars.workspace': { expected: 'an array of strings', read: (value) => listOf(value, isString) },
  'vars.paths': oneOf('native', 'slashes'),
  'paths.base': oneOf('workspace', 'config-folder'),
  'env.inherit': oneOf('safe', 'all', 'none'),
  'env.path': oneOf('replace', 'append'),
  start: oneOf('eager', 'lazy', 'on-demand'),
  replace: oneOf('start-first', 'stop-first'),
  onServerFailure: oneOf('continue', 'fail'),
  stop: { expected: 'an object of closeStdin, graceMs and termMs (up to 60000)', read: stopOf },
  stderr: oneOf('inherit', 'capture', 'discard'),
  'stdout.badLine': oneOf('drop', 'count', 'fail'),
  'protocol.accept': oneOf('known', 'any'),
  'protocol.version': {
    expected: '"auto" or a revision such as "2025-11-25"',
    read: (value) => (isString(value) && /^(?:auto|\d{4}-\d{2}-\d{2})$/.test(value) ? value : undefined),
  },
  elicitation: {
    expected: 'an array of route, handler, decline and off',
    read: (value) => listOf(value, isElicitationStep),
  },
  'result.text': oneOf('newline', 'concat'),
  'result.unknown': oneOf('json', 'drop'),
  'result.media': oneOf('parts', 'json', 'placeholder'),
  'result.structured': oneOf('fallback', 'always', 'validate'),
  'result.protocolError': oneOf('throw', 'result'),
  'secrets.env': oneOf('process', 'store', 'both'),
}

const names = Object.keys(shapes).filter((key): key is ServerPolicy => key in shapes)

/** `policy`: policies of one server, by name. */
export const policies: FieldRule = group(
  Object.fromEntries(names.map((name) => [name, rule(name)])) satisfies FieldTable,
)

function rule<K extends ServerPolicy>(name: K): FieldRule {
  const { expected, read } = shapes[name]
  return {
    specFields: ['policy'],
    outcome: 'kept',
    note: expected,
    read: (field, entry) => {
      const value = read(plainValue(field))
      if (value === undefined) return entry.invalid(field, quoted(field), expected)
      entry.specFields.policy = { ...entry.specFields.policy, [name]: value }
    },
    write: (specFields) => {
      const { [name]: value, ...rest } = specFields.policy ?? {}
      if (Object.keys(rest).length === 0) delete specFields.policy
      else specFields.policy = rest
      return value
    },
  }
}

function plainValue(location: DocumentLocation): unknown {
  const { type, value } = location.node
  if (type === 'array') return itemsOf(location).map(plainValue)
  if (type !== 'object') return value
  return Object.fromEntries(fieldsOf(location).map((field) => [field.key, plainValue(field)]))
}

function oneOf<const T extends string>(...words: readonly T[]): Shape<T> {
  return { expected: `one of ${words.join(', ')}`, read: (value) => words.find((word) => word === value) }
}

function wholeNumber(min: number, max: number): Shape<number> {
  return {
    expected: `a whole number of at least ${min}`,
    read: (value) => (isWholeNumber(value, min, max) ? value : undefined),
  }
}

/** Longer than any server needs, and no reason to wait for hours when this process ends. */
const maxStopMs = 60_000

function stopOf(value: unknown): Policy['stop'] | undefined {
  const { closeStdin, graceMs, termMs } = isJsonObject(value) ? value : {}
  if (!isWholeNumber(graceMs, 0, maxStopMs) || !isWholeNumber(termMs, 0, maxStopMs)) return undefined
  return typeof closeStdin === 'boolean' ? { closeStdin, graceMs, termMs } : undefined
}

function isWholeNumber(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

function listOf<T>(value: unknown, isItem: (item: unknown) => item is T): readonly T[] | undefined {
  return Array.isArray(value) && value.every(isItem) ? value : undefined
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isElicitationStep(value: unknown): value is Policy['elicitation'][number] {
  return isString(value) && ['route', 'handler', 'decline', 'off'].includes(value)
}
