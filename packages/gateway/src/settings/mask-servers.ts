import {
  type HttpServerEntry,
  type KeptSecret,
  keptSecretSchema,
  type ProblemIssue,
  type ServerEntry,
  type StdioServerEntry,
} from '@toolbridge/api'
import { pointerTo } from '../errors/issues.ts'
import { mayBeSecretArgument, mayContainSecret } from './secret-detection.ts'

type Texts = Readonly<Record<string, string>>

/** A saved server with every secret in clear. */
export type ClearEntry =
  | (Omit<StdioServerEntry, 'args' | 'env'> & {
      readonly args: readonly string[]
      readonly env?: Texts | undefined
    })
  | (Omit<HttpServerEntry, 'url' | 'headers'> & {
      readonly url: string
      readonly headers?: Texts | undefined
    })

/** The saved servers of one owner by name, with every secret in clear. */
export type ClearServers = Readonly<Record<string, ClearEntry>>

/** Replaces every value that may be a secret by a reference to this version of the settings. */
export function maskServers(servers: ClearServers, version: number): Readonly<Record<string, ServerEntry>> {
  return mapValues(servers, (entry) => maskEntry(entry, { kept: version }))
}

function maskEntry(entry: ClearEntry, kept: KeptSecret): ServerEntry {
  if ('url' in entry) {
    const { url, headers } = entry
    return {
      ...entry,
      url: mayContainSecret(url) ? kept : url,
      headers: headers && mapValues(headers, () => kept),
    }
  }
  const { args, env } = entry
  return { ...entry, args: maskArguments(args, kept), env: env && mapValues(env, () => kept) }
}

function maskArguments(args: readonly string[], kept: KeptSecret): readonly (string | KeptSecret)[] {
  return args.map((argument, index) => (mayBeSecretArgument(args, index) ? kept : argument))
}

/** A reference to a saved secret, and its JSON pointer in the request. */
export interface SecretReference {
  readonly path: string
  readonly version: number
}

/** `mcpServers`, a server, a field, and a name or an index in it. */
const referenceDepth = 4

/** Finds every reference in a document of any shape. */
export function secretReferences(
  value: unknown,
  path = '',
  depth: number = referenceDepth,
): readonly SecretReference[] {
  const reference = keptSecretSchema.safeParse(value)
  if (reference.success) return [{ path, version: reference.data.kept }]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.entries(value).flatMap(([key, part]) =>
    secretReferences(part, path + pointerTo([key]), depth - 1),
  )
}

/** Servers whose references were replaced by values, and an issue for each reference that has none. */
export interface RestoredServers {
  readonly servers: ClearServers
  readonly issues: readonly ProblemIssue[]
}

/**
 * Replaces each reference by the value at the same path of the same server in the referenced version. Drops fields that
 * are not supported for saved servers.
 */
export function restoreSecrets(
  servers: Readonly<Record<string, ServerEntry>>,
  versions: ReadonlyMap<number, ClearServers>,
): RestoredServers {
  const issues: ProblemIssue[] = []
  const restored = mapValues(servers, (entry, server) =>
    restoreEntry(entry, (secret, path, find) => {
      if (typeof secret === 'string') return secret
      const before = ownValue(versions.get(secret.kept) ?? {}, server)
      const kept = before && find(before)
      if (kept === undefined) issues.push(missingSecret(secret.kept, server, path))
      return kept ?? ''
    }),
  )
  return { servers: restored, issues }
}

type Restore = (
  secret: string | KeptSecret,
  path: readonly PropertyKey[],
  find: (before: ClearEntry) => string | undefined,
) => string

function restoreEntry(entry: ServerEntry, restore: Restore): ClearEntry {
  const restoreMap = (
    field: 'env' | 'headers',
    secrets: Readonly<Record<string, string | KeptSecret>>,
  ): Texts =>
    mapValues(secrets, (secret, name) =>
      restore(secret, [field, name], (before) => ownValue(textsOf(before, field), name)),
    )
  const { type, disabled } = entry
  const commons = disabled === undefined ? {} : { disabled }
  if ('url' in entry) {
    const url = restore(entry.url, ['url'], (before) => ('url' in before ? before.url : undefined))
    const headers = entry.headers && { headers: restoreMap('headers', entry.headers) }
    return { ...(type === undefined ? {} : { type: entry.type }), url, ...headers, ...commons }
  }
  const { command, args = [] } = entry
  const env = entry.env && { env: restoreMap('env', entry.env) }
  const clearArgs = args.map((argument, index) =>
    restore(argument, ['args', index], (before) => keptArgument(args, index, before)),
  )
  return { ...(type === undefined ? {} : { type: entry.type }), command, args: clearArgs, ...env, ...commons }
}

/**
 * Returns the argument that a reference stands for: the one that follows the same argument. Where several match, their
 * number must not have changed, because only their order tells them apart.
 */
function keptArgument(
  args: readonly (string | KeptSecret)[],
  index: number,
  before: ClearEntry,
): string | undefined {
  const reference = args[index]
  if (!('args' in before) || reference === undefined || typeof reference === 'string') return undefined
  const masked = maskArguments(before.args, reference)
  const alike = (list: readonly (string | KeptSecret)[]): readonly number[] =>
    [...list.keys()].filter((at) => isSame(list[at], reference) && isSame(list[at - 1], args[index - 1]))
  const [now, then] = [alike(args), alike(masked)]
  return now.length === then.length ? before.args[then[now.indexOf(index)] ?? -1] : undefined
}

function isSame(one: string | KeptSecret | undefined, other: string | KeptSecret | undefined): boolean {
  if (typeof one === 'object' && typeof other === 'object') return one.kept === other.kept
  return one === other
}

function textsOf(entry: ClearEntry, field: 'env' | 'headers'): Texts {
  if ('url' in entry) return (field === 'headers' ? entry.headers : undefined) ?? {}
  return (field === 'env' ? entry.env : undefined) ?? {}
}

function missingSecret(version: number, server: string, path: readonly PropertyKey[]): ProblemIssue {
  return {
    path: pointerTo(['mcpServers', server, ...path]),
    message:
      `version ${version} has no saved value at this path of the server "${server}"; enter the value ` +
      `(a saved value cannot move to another server or path)`,
  }
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
