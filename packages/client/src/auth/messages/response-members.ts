import type { JsonObject } from '../../jsonrpc/json.ts'
import type { McpAuthError } from './mcp-auth-error.ts'

/** Makes the error of a document from what is wrong with it. */
export type MakeError = (what: string) => McpAuthError

/** A member that must be a text and not empty. */
export function requiredString(document: JsonObject, name: string, problem: MakeError): string {
  const value = document[name]
  if (typeof value !== 'string' || value === '')
    throw problem(`lacks "${name}" or has it as something else than text`)
  return value
}

/** An object with the member, if it is there. Null counts as absent: several servers write it for what they lack. */
export function optionalString<Name extends string>(
  document: JsonObject,
  name: Name,
  problem: MakeError,
): { readonly [K in Name]?: string } {
  const value = document[name]
  if (value === undefined || value === null) return {}
  if (typeof value !== 'string') throw problem(`has "${name}" as something else than text`)
  return member(name, value)
}

/** The same for a list of texts. */
export function optionalStrings<Name extends string>(
  document: JsonObject,
  name: Name,
  problem: MakeError,
): { readonly [K in Name]?: readonly string[] } {
  const value = document[name]
  if (value === undefined || value === null) return {}
  if (!isStrings(value)) throw problem(`has "${name}" as something else than a list of texts`)
  return member(name, value)
}

/** The same for yes or no. */
export function optionalBoolean<Name extends string>(
  document: JsonObject,
  name: Name,
  problem: MakeError,
): { readonly [K in Name]?: boolean } {
  const value = document[name]
  if (value === undefined || value === null) return {}
  if (typeof value !== 'boolean') throw problem(`has "${name}" as something else than true or false`)
  return member(name, value)
}

/** The same for a number. Digits in quotes count: several servers write seconds so. */
export function optionalNumber<Name extends string>(
  document: JsonObject,
  name: Name,
  problem: MakeError,
): { readonly [K in Name]?: number } {
  const value = document[name]
  if (value === undefined || value === null) return {}
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) {
    throw problem(`has "${name}" as something else than a number of seconds`)
  }
  return member(name, number)
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function member<Name extends string, Value>(name: Name, value: Value): { readonly [K in Name]?: Value } {
  // A computed name widens to `string`, although it is exactly this one.
  return { [name]: value } as { readonly [K in Name]?: Value }
}
