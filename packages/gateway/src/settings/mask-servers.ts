import { type KeptSecret, keptSecretSchema, type ProblemIssue, type ServerEntry } from '@toolbridge/api'
import { type JsonValue, maskEntry, type ServerEntryObject } from '@toolbridge/bridge/config'
import { pointerTo } from '../errors/issues.ts'

/** A saved server with every secret in clear. */
export type ClearEntry = ServerEntryObject

/** The saved servers of one owner by name, with every secret in clear. */
export type ClearServers = Readonly<Record<string, ClearEntry>>

/** Servers of a request by name. Values can be references to saved secrets. */
export type RequestedServers = Readonly<Record<string, ServerEntryObject>>

/** Replaces every value that may be a secret by a reference to this version of the settings. */
export function maskServers(servers: ClearServers, version: number): Readonly<Record<string, ServerEntry>> {
  return mapValues(servers, (entry) => maskServer(entry, version))
}

/** The saved servers in the form of the HTTP API, with every secret in clear. */
export function clearServers(servers: ClearServers): Readonly<Record<string, ServerEntry>> {
  return mapValues(servers, shownEntry)
}

/** Replaces every value of a server that may be a secret by a reference to this version of the settings. */
export function maskServer(entry: ClearEntry, version: number): ServerEntry {
  return shownEntry(maskEntry(entry, { kept: version }))
}

/** Its fields were checked when it was saved. */
function shownEntry(entry: unknown): ServerEntry {
  return entry as ServerEntry
}

/** A reference to a saved secret. */
export interface SecretReference {
  readonly server: string
  /** Keys of the value in the entry of the server. */
  readonly path: Path
  readonly version: number
}

type Path = readonly (string | number)[]

/** Finds every reference in an entry of any shape. */
export function referencesIn(server: string, value: unknown, path: Path = []): readonly SecretReference[] {
  const reference = referenceOf(value)
  if (reference !== undefined) return [{ server, path, version: reference.kept }]
  if (Array.isArray(value))
    return value.flatMap((item, index) => referencesIn(server, item, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => referencesIn(server, item, [...path, key]))
}

/** Servers whose references were replaced by values, and an issue for each reference that has none. */
export interface RestoredServers {
  readonly servers: ClearServers
  readonly issues: readonly ProblemIssue[]
}

/** Replaces each reference by the text at the same path of the same server in the referenced version. */
export function restoreSecrets(
  servers: RequestedServers,
  versions: ReadonlyMap<number, ClearServers>,
): RestoredServers {
  const issues: ProblemIssue[] = []
  const restored = mapValues(servers, (entry, server) => {
    const restore = (reference: KeptSecret, path: Path): string => {
      const before = ownValue(versions.get(reference.kept) ?? {}, server)
      const kept = before && keptText(entry, path, before, reference)
      if (kept === undefined) issues.push(missingSecret(reference.kept, server, path))
      return kept ?? ''
    }
    return mapValues(entry, (value, field) => restoredValue(value, [field], restore))
  })
  return { servers: restored, issues }
}

function restoredValue(
  value: JsonValue,
  path: Path,
  restore: (reference: KeptSecret, path: Path) => string,
): JsonValue {
  const reference = referenceOf(value)
  if (reference !== undefined) return restore(reference, path)
  if (isList(value)) return value.map((item, index) => restoredValue(item, [...path, index], restore))
  if (!isRecord(value)) return value
  return mapValues(value, (item, key) => restoredValue(item, [...path, key], restore))
}

/** Returns the text that a reference stands for, if that is certain. */
function keptText(
  entry: ServerEntryObject,
  path: Path,
  before: ClearEntry,
  reference: KeptSecret,
): string | undefined {
  const [field, index] = path
  if (field === 'args' && typeof index === 'number')
    return keptArgument(itemsOf(entry, 'args'), index, before, reference)
  const [, text] = path.reduce<readonly [JsonValue | undefined, JsonValue | undefined]>(
    ([now, then], key) => stepInto(now, then, key),
    [entry, before],
  )
  return typeof text === 'string' ? text : undefined
}

/** An item of a list that became longer or shorter is not certainly the same. */
function stepInto(
  now: JsonValue | undefined,
  then: JsonValue | undefined,
  key: string | number,
): readonly [JsonValue | undefined, JsonValue | undefined] {
  if (isList(now) && isList(then))
    return now.length === then.length ? [now[Number(key)], then[Number(key)]] : [undefined, undefined]
  if (!isRecord(now) || !isRecord(then)) return [undefined, undefined]
  return [ownValue(now, String(key)), ownValue(then, String(key))]
}

/**
 * Returns the argument that a reference stands for: the one that follows the same argument. Where several match, their
 * number must not have changed, because only their order tells them apart.
 */
function keptArgument(
  args: readonly JsonValue[],
  index: number,
  before: ClearEntry,
  reference: KeptSecret,
): string | undefined {
  const masked = itemsOf(maskEntry(before, { kept: reference.kept }), 'args')
  const alike = (list: readonly JsonValue[]): readonly number[] =>
    [...list.keys()].filter((at) => isSame(list[at], args[index]) && isSame(list[at - 1], args[index - 1]))
  const [now, then] = [alike(args), alike(masked)]
  const kept =
    now.length === then.length ? itemsOf(before, 'args')[then[now.indexOf(index)] ?? -1] : undefined
  return typeof kept === 'string' ? kept : undefined
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const [left, right] = [referenceOf(one), referenceOf(other)]
  return left === undefined || right === undefined ? one === other : left.kept === right.kept
}

function itemsOf(entry: ServerEntryObject, field: string): readonly JsonValue[] {
  const value = ownValue(entry, field)
  return isList(value) ? value : []
}

function missingSecret(version: number, server: string, path: Path): ProblemIssue {
  return {
    path: pointerTo(['mcpServers', server, ...path]),
    message:
      `version ${version} has no saved value at this path of the server "${server}"; enter the value ` +
      `(a saved value cannot move to another server or path)`,
  }
}

function referenceOf(value: unknown): KeptSecret | undefined {
  return keptSecretSchema.safeParse(value).data
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))
}

function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function isRecord(value: JsonValue | undefined): value is ServerEntryObject {
  return typeof value === 'object' && value !== null && !isList(value)
}
