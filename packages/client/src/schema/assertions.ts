import { isJsonObject } from '../jsonrpc/json.ts'
import { deepEqual } from './deep-equal.ts'
import { safeRegExp } from './safe-reg-exp.ts'

/** Returns what a value violates, as text that follows its path; undefined if nothing. */
type Assertion = (wanted: unknown, value: unknown) => string | undefined

/** The keywords of JSON Schema 2020-12 that look at a value without applying further schemas. */
export const assertions: Readonly<Record<string, Assertion>> = {
  type: (wanted, value) => {
    const types = Array.isArray(wanted) ? wanted : [wanted]
    return types.some((type) => isOfType(value, type)) ? undefined : `must be ${types.join(' or ')}`
  },
  enum: (wanted, value) =>
    !Array.isArray(wanted) || wanted.some((one) => deepEqual(one, value))
      ? undefined
      : 'must be one of the allowed values',
  const: (wanted, value) => (deepEqual(wanted, value) ? undefined : 'must be the constant of its schema'),
  minimum: comparison((value, limit) => value >= limit, 'must be >='),
  maximum: comparison((value, limit) => value <= limit, 'must be <='),
  exclusiveMinimum: comparison((value, limit) => value > limit, 'must be >'),
  exclusiveMaximum: comparison((value, limit) => value < limit, 'must be <'),
  multipleOf: comparison(isMultiple, 'must be a multiple of'),
  minLength: sized(charactersOf, (size, limit) => size >= limit, 'must have at least', 'characters'),
  maxLength: sized(charactersOf, (size, limit) => size <= limit, 'must have at most', 'characters'),
  minItems: sized(itemsOf, (size, limit) => size >= limit, 'must have at least', 'items'),
  maxItems: sized(itemsOf, (size, limit) => size <= limit, 'must have at most', 'items'),
  minProperties: sized(propertiesOf, (size, limit) => size >= limit, 'must have at least', 'properties'),
  maxProperties: sized(propertiesOf, (size, limit) => size <= limit, 'must have at most', 'properties'),
  pattern: (wanted, value) =>
    typeof wanted !== 'string' || typeof value !== 'string' || safeRegExp(wanted).test(value)
      ? undefined
      : 'must match the pattern of its schema',
  uniqueItems: (wanted, value) =>
    wanted !== true || !Array.isArray(value) || areUnique(value) ? undefined : 'must not have equal items',
  required: (wanted, value) => missing(wanted, value),
  dependentRequired: (wanted, value) => {
    if (!isJsonObject(wanted) || !isJsonObject(value)) return undefined
    const names = Object.keys(wanted).filter((name) => Object.hasOwn(value, name))
    return missing(
      names.flatMap((name) => wanted[name]),
      value,
    )
  },
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type
    default:
      throw new TypeError('unknown type in a schema')
  }
}

function comparison(fits: (value: number, limit: number) => boolean, problem: string): Assertion {
  return (wanted, value) =>
    typeof wanted !== 'number' || typeof value !== 'number' || fits(value, wanted)
      ? undefined
      : `${problem} ${wanted}`
}

function sized(
  sizeOf: (value: unknown) => number | undefined,
  fits: (size: number, limit: number) => boolean,
  problem: string,
  unit: string,
): Assertion {
  return (wanted, value) => {
    const size = sizeOf(value)
    return size === undefined || typeof wanted !== 'number' || fits(size, wanted)
      ? undefined
      : `${problem} ${wanted} ${unit}`
  }
}

/** Tolerates the rounding of decimal fractions: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient))
}

/** In code points, as the specification counts. */
function charactersOf(value: unknown): number | undefined {
  return typeof value === 'string' ? Array.from(value).length : undefined
}

function itemsOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

function propertiesOf(value: unknown): number | undefined {
  return isJsonObject(value) ? Object.keys(value).length : undefined
}

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonicalText)).size === items.length
}

/** The same text for equal values only: numbers and texts differ by their quotes. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`)
  return `{${members.join(',')}}`
}

function missing(names: unknown, value: unknown): string | undefined {
  if (!Array.isArray(names) || !isJsonObject(value)) return undefined
  const absent = names.find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  return absent === undefined ? undefined : `must have required property '${absent}'`
}
