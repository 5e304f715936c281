import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'
import { RegistryError, shown } from './registry-error.ts'

/** A value that a definition needs, as its publisher describes it. */
export interface RegistryInput {
  readonly isRequired: boolean
  readonly isSecret: boolean
  /** A value that users do not choose. `{name}` stands for a variable. */
  readonly value?: string
  readonly default?: string
  readonly variables: Readonly<Record<string, RegistryInput>>
}

/** An environment variable or an HTTP header. */
export interface NamedInput extends RegistryInput {
  readonly name: string
}

export interface RegistryArgument extends RegistryInput {
  /** The option, with dashes; undefined for a positional argument. */
  readonly option?: string
  /** What the argument is called in questions. */
  readonly label: string
}

export interface RegistryPackage {
  readonly registryType: string
  readonly identifier: string
  readonly version?: string
  readonly registryBaseUrl?: string
  readonly runtimeHint?: string
  /** Type of its transport, such as `stdio`. */
  readonly transport: string
  readonly runtimeArguments: readonly RegistryArgument[]
  readonly packageArguments: readonly RegistryArgument[]
  readonly environmentVariables: readonly NamedInput[]
}

export interface RegistryRemote {
  /** `streamable-http` or `sse`. */
  readonly type: string
  readonly url: string
  readonly headers: readonly NamedInput[]
  readonly variables: Readonly<Record<string, RegistryInput>>
}

/** A `server.json` with the status that the registry gives it. */
export interface RegistryServer {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly repository?: string
  /** `active`, `deprecated` or `deleted`. */
  readonly status: string
  readonly statusMessage?: string
  readonly packages: readonly RegistryPackage[]
  readonly remotes: readonly RegistryRemote[]
}

const registryMeta = 'io.modelcontextprotocol.registry/official'

/** Reads a response with one server. Fields that are not used are ignored. Throws a {@link RegistryError} if it is malformed. */
export function readServer(response: unknown): RegistryServer {
  const whole = objectAt(response, 'response')
  const server = objectAt(whole['server'], 'server')
  const meta = optionalObject(optionalObject(whole['_meta'], '_meta')[registryMeta], registryMeta)
  return {
    name: requiredText(server, 'name', 'server'),
    version: requiredText(server, 'version', 'server'),
    ...texts(server, ['title', 'description'], 'server'),
    ...renamed('repository', text(optionalObject(server['repository'], 'repository'), 'url', 'repository')),
    status: text(meta, 'status', registryMeta) ?? text(server, 'status', 'server') ?? 'active',
    ...texts(meta, ['statusMessage'], registryMeta),
    packages: list(server, 'packages', 'server').map(readPackage),
    remotes: list(server, 'remotes', 'server').map(readRemote),
  }
}

/** Reads the servers of a list, without their definitions. */
export function readNames(response: unknown): readonly Pick<RegistryServer, 'name' | 'version'>[] {
  return list(objectAt(response, 'response'), 'servers', 'response').map((each, index) => {
    const server = objectAt(objectAt(each, `servers[${index}]`)['server'], `servers[${index}].server`)
    return {
      name: requiredText(server, 'name', 'server'),
      version: requiredText(server, 'version', 'server'),
    }
  })
}

function readPackage(value: unknown, index: number): RegistryPackage {
  const at = `packages[${index}]`
  const read = objectAt(value, at)
  const argumentsIn = (key: string): readonly RegistryArgument[] =>
    list(read, key, at).map((each, place) => readArgument(each, `${at}.${key}[${place}]`))
  return {
    registryType: requiredText(read, 'registryType', at),
    identifier: requiredText(read, 'identifier', at),
    ...texts(read, ['version', 'registryBaseUrl', 'runtimeHint'], at),
    transport: text(optionalObject(read['transport'], `${at}.transport`), 'type', at) ?? 'stdio',
    runtimeArguments: argumentsIn('runtimeArguments'),
    packageArguments: argumentsIn('packageArguments'),
    environmentVariables: list(read, 'environmentVariables', at).map((each, place) =>
      readNamed(each, `${at}.environmentVariables[${place}]`),
    ),
  }
}

function readRemote(value: unknown, index: number): RegistryRemote {
  const at = `remotes[${index}]`
  const read = objectAt(value, at)
  return {
    type: requiredText(read, 'type', at),
    url: requiredText(read, 'url', at),
    headers: list(read, 'headers', at).map((each, place) => readNamed(each, `${at}.headers[${place}]`)),
    variables: readVariables(read, at),
  }
}

function readArgument(value: unknown, at: string): RegistryArgument {
  const read = objectAt(value, at)
  const type = requiredText(read, 'type', at)
  if (type !== 'positional' && type !== 'named') throw malformed(`${at}.type`, '"positional" or "named"')
  const input = readInput(read, at)
  if (type === 'positional') return { ...input, label: text(read, 'valueHint', at) ?? 'argument' }
  const option = requiredText(read, 'name', at)
  return { ...input, option, label: option }
}

function readNamed(value: unknown, at: string): NamedInput {
  const read = objectAt(value, at)
  return { ...readInput(read, at), name: requiredText(read, 'name', at) }
}

function readInput(read: JsonObject, at: string): RegistryInput {
  return {
    ...readFlags(read, at),
    ...texts(read, ['value', 'default'], at),
    variables: readVariables(read, at),
  }
}

/** Variables have no variables of their own. */
function readVariables(read: JsonObject, at: string): Readonly<Record<string, RegistryInput>> {
  const entries = Object.entries(optionalObject(read['variables'], `${at}.variables`))
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const where = `${at}.variables.${name}`
      const input = objectAt(value, where)
      return [
        name,
        { ...readFlags(input, where), ...texts(input, ['value', 'default'], where), variables: {} },
      ]
    }),
  )
}

function readFlags(
  read: JsonObject,
  at: string,
): { readonly isRequired: boolean; readonly isSecret: boolean } {
  return { isRequired: flag(read, 'isRequired', at), isSecret: flag(read, 'isSecret', at) }
}

function objectAt(value: unknown, at: string): JsonObject {
  if (!isJsonObject(value)) throw malformed(at, 'an object')
  return value
}

function optionalObject(value: unknown, at: string): JsonObject {
  return value === undefined || value === null ? {} : objectAt(value, at)
}

function list(read: JsonObject, key: string, at: string): readonly unknown[] {
  const value = read[key] ?? []
  if (!Array.isArray(value)) throw malformed(`${at}.${key}`, 'a list')
  return value
}

function flag(read: JsonObject, key: string, at: string): boolean {
  const value = read[key] ?? false
  if (typeof value !== 'boolean') throw malformed(`${at}.${key}`, 'true or false')
  return value
}

function text(read: JsonObject, key: string, at: string): string | undefined {
  const value = read[key] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw malformed(`${at}.${key}`, 'a text')
  return value
}

function requiredText(read: JsonObject, key: string, at: string): string {
  const value = text(read, key, at)
  if (value === undefined || value === '') throw malformed(`${at}.${key}`, 'a text')
  return value
}

/** The texts that are set. */
function texts<Key extends string>(
  read: JsonObject,
  keys: readonly Key[],
  at: string,
): Partial<Record<Key, string>> {
  const set = keys.flatMap((key) => Object.entries(renamed(key, text(read, key, at))))
  return Object.fromEntries(set) as Partial<Record<Key, string>>
}

function renamed<Key extends string>(key: Key, value: string | undefined): Partial<Record<Key, string>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<Key, string>>)
}

function malformed(at: string, expected: string): RegistryError {
  return new RegistryError(`the response of the registry is malformed: ${shown(at)}: expected ${expected}`)
}
