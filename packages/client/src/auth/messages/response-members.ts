import type { JsonObject } from '../../jsonrpc/json.ts'
import type { McpAuthError } from './mcp-auth-error.ts'

/** Creates the error for a problem with a document. */
export type MakeError = (what: string) => McpAuthError

/** A member that must be a non-empty string. */
export function requiredString(document: JsonObject, name: string, problem: MakeError): string {
  const value = document[name]
  if (typeof value !== 'string' || value === '') throw problem(`lacks the string "${name}"`)
  return value
}

/** An object with the member, if present. Null counts as absent: several servers send it. */
export function optionalString<Name extends string>(
  document: JsonObject,
  name: Name,
  problem: MakeError,
): { readonly [K in Name]?: string } {
  const value = document[name]
  if (value === undefined || value === null) return {}
  if (typeof value !== 'string') throw problem(`has a "${name}" that is not a string`)
  return member(name, value)
}

/** Like {@link optionalString} for a list of strings. */
export function optionalStrings<Name extends string>(
  document: JsonObject,
  name: Name,
  problem: MakeError,
): { readonly [K in Name]?: readonly string[] } {
  const value = document[name]
  if (value === undefined || value === null) return {}
  if (!isStrings(value)) throw problem(`has a "${name}" that is not a list of strings`)
  return member(name, value)
}

/** Like {@link optionalString} for a boolean. */
export function optionalBoolean<Name extends string>(
  document: JsonObject,
  name: Name,
  problem: MakeError,
): { readonly [K in Name]?: boolean } {
  const value = document[name]
  if (value === undefined || value === null) return {}
  if (typeof value !== 'boolean') throw problem(`has a "${name}" that is not a boolean`)
  return member(name, value)
}

/** Like {@link optionalString} for a number. Accepts digits in a string, as several servers send. */
export function optionalNumber<Name extends string>(
  document: JsonObject,
  name: Name,
  problem: MakeError,
): { readonly [K in Name]?: number } {
  const value = document[name]
  if (value === undefined || value === null) return {}
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) {
    throw problem(`has a "${name}" that is not a number of seconds`)
  }
  return member(name, number)
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function member<Name extends string, Value>(name: Name, value: Value): { readonly [K in Name]?: Value } {
  // TypeScript widens a computed name to `string`.
  return { [name]: value } as { readonly [K in Name]?: Value }
}
