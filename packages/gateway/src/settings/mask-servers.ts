import {
  type HttpServerEntry,
  type KeptSecret,
  keptSecretSchema,
  type ProblemIssue,
  type ServerEntry,
  type StdioServerEntry,
} from '@toolbridge/api'
import { pointerStep } from '../http/read-body.ts'
import { mayBeSecretArgument, mayContainSecret } from './secret-detection.ts'

type Texts = Readonly<Record<string, string>>

/** A server as it is kept: every secret in clear. */
export type ClearEntry =
  | (Omit<StdioServerEntry, 'args' | 'env'> & {
      readonly args: readonly string[]
      readonly env?: Texts | undefined
    })
  | (Omit<HttpServerEntry, 'url' | 'headers'> & {
      readonly url: string
      readonly headers?: Texts | undefined
    })

/** The servers of one owner by name, every secret in clear. */
export type ClearServers = Readonly<Record<string, ClearEntry>>

/** The servers as a page may see them: a reference stands for every value that may be a secret. */
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

/** A reference, and its JSON pointer in the document that was sent. */
export interface SecretReference {
  readonly path: string
  readonly version: number
}

/** `mcpServers`, a server, a field, and a name or a place in it. */
const referenceDepth = 4

/** Every reference in a document, whatever else is in it. */
export function secretReferences(
  value: unknown,
  path = '',
  depth: number = referenceDepth,
): readonly SecretReference[] {
  const reference = keptSecretSchema.safeParse(value)
  if (reference.success) return [{ path, version: reference.data.kept }]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.entries(value).flatMap(([key, part]) =>
    secretReferences(part, path + pointerStep(key), depth - 1),
  )
}

/** Servers whose references were followed, and the references that lead nowhere. */
export interface RestoredServers {
  readonly servers: ClearServers
  readonly issues: readonly ProblemIssue[]
}

/**
 * Puts kept values back: each reference means the value in the same place of the same server in its version. Fields that are
 * not kept for saved servers are left out.
 */
export function restoreSecrets(
  servers: Readonly<Record<string, ServerEntry>>,
  versions: ReadonlyMap<number, ClearServers>,
): RestoredServers {
  const issues: ProblemIssue[] = []
  const restored = mapValues(servers, (entry, server) =>
    restoreEntry(entry, (secret, place, find) => {
      if (typeof secret === 'string') return secret
      const before = ownValue(versions.get(secret.kept) ?? {}, server)
      const kept = before && find(before)
      if (kept === undefined) issues.push(nothingKept(secret.kept, server, place))
      return kept ?? ''
    }),
  )
  return { servers: restored, issues }
}

type Restore = (
  secret: string | KeptSecret,
  place: readonly PropertyKey[],
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
 * The argument that a reference stands for: the one that followed the same argument. Where several did, all of them must
 * still be there, since nothing else tells them apart.
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
    [...list.keys()].filter(
      (place) => isSame(list[place], reference) && isSame(list[place - 1], args[index - 1]),
    )
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

function nothingKept(version: number, server: string, place: readonly PropertyKey[]): ProblemIssue {
  return {
    path: ['mcpServers', server, ...place].map(pointerStep).join(''),
    message:
      `version ${version} keeps no value here for a server "${server}"; enter the value itself ` +
      `(a kept value stays with its server's name and its place)`,
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
