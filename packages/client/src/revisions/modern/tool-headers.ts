import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import { HEADER_MARK, MAX_SCHEMA_DEPTH } from './header-marks.ts'
import { headerValue } from './header-values.ts'

/** An argument that is repeated in a header. */
export interface MirroredArgument {
  /** The header's name in lower case. */
  readonly header: string
  /** Property names from the root to the argument. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

/** The arguments of a tool that are repeated in headers, or why its schema is invalid. */
export type HeaderPlan =
  | { readonly arguments: readonly MirroredArgument[] }
  | { readonly problem: string; readonly arguments?: never }

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Schema keywords whose value is data. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples'])
/** Schema keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])

/** Finds the arguments that the schema marks for headers. Most tools have none. */
export function headerPlan(inputSchema: JsonObject): HeaderPlan {
  const found: MirroredArgument[] = []
  try {
    search(inputSchema, [], 0, found)
  } catch (error) {
    if (error instanceof InvalidMark) return { problem: error.message }
    throw error
  }
  return { arguments: found }
}

/** The headers for given arguments. Throws if a value cannot be sent in a header. */
export function mirroredHeaders(
  plan: readonly MirroredArgument[],
  given: unknown,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const argument of plan) {
    const value = textOf(argument, valueAt(given, argument.path))
    if (value !== undefined) headers[argument.header] = headerValue(value)
  }
  return headers
}

class InvalidMark extends Error {}

/** Servers limit the size of all headers. */
const MAX_MARKS = 32

const CREDENTIALS: readonly string[] = [
  'password',
  'passphrase',
  'secret',
  'apikey',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'privatekey',
  'credential',
  'credentials',
  'authorization',
]

function isCredential(name: string, { format, writeOnly }: JsonObject): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return format === 'password' || writeOnly === true || CREDENTIALS.some((each) => plain.endsWith(each))
}

/** `path` is undefined where a mark is not allowed: everywhere except in nested properties. */
function search(
  schema: unknown,
  path: readonly string[] | undefined,
  depth: number,
  found: MirroredArgument[],
): void {
  if (typeof schema !== 'object' || schema === null) return
  if (depth > MAX_SCHEMA_DEPTH)
    throw new InvalidMark(`its schema is nested deeper than ${MAX_SCHEMA_DEPTH} levels`)
  if (Array.isArray(schema)) {
    for (const part of schema) search(part, undefined, depth + 1, found)
    return
  }
  for (const key in schema) {
    const member: unknown = (schema as JsonObject)[key]
    if (key === HEADER_MARK) found.push(readMark(member, schema as JsonObject, path, found))
    else if (MAPS.has(key)) searchMap(member, key === 'properties' ? path : undefined, depth, found)
    else if (!DATA.has(key)) search(member, undefined, depth + 1, found)
  }
}

function searchMap(
  map: unknown,
  path: readonly string[] | undefined,
  depth: number,
  found: MirroredArgument[],
): void {
  if (!isJsonObject(map)) return
  for (const name in map) search(map[name], path && [...path, name], depth + 1, found)
}

function readMark(
  mark: unknown,
  schema: JsonObject,
  path: readonly string[] | undefined,
  found: readonly MirroredArgument[],
): MirroredArgument {
  const { type } = schema
  const shown = JSON.stringify(typeof mark === 'object' ? '…' : mark)
  if (typeof mark !== 'string' || !NAME.test(mark))
    throw new InvalidMark(`${shown} is not a valid header name`)
  if (path === undefined || path.length === 0) {
    throw new InvalidMark(`${shown} is marked where no argument can be told from`)
  }
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    throw new InvalidMark(`${shown} marks an argument that is not a string, integer or boolean`)
  }
  if (isCredential(path.at(-1) ?? '', schema))
    throw new InvalidMark(`${shown} would repeat a secret in a header, which others log`)
  if (found.length === MAX_MARKS) throw new InvalidMark(`more than ${MAX_MARKS} arguments are marked`)
  const header = `mcp-param-${mark.toLowerCase()}`
  if (found.some((other) => other.header === header)) throw new InvalidMark(`${shown} is used twice`)
  return { header, path, type }
}

function valueAt(given: unknown, path: readonly string[]): unknown {
  let value = given
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

/** Values of another type are omitted: the server reports them itself. */
function textOf({ type, path }: MirroredArgument, value: unknown): string | undefined {
  if (type === 'integer' && typeof value === 'number' && Number.isInteger(value)) {
    if (Number.isSafeInteger(value)) return String(value)
    throw new McpError(`the argument ${path.join('.')} is too large to be repeated in a header`, {
      kind: 'unsupported',
      code: McpErrorCode.InvalidParams,
    })
  }
  return type !== 'integer' && typeof value === type ? String(value) : undefined
}
