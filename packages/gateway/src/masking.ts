import type {
  HttpServerEntry,
  KeptSecret,
  ProblemIssue,
  ServerEntry,
  StdioServerEntry,
} from '@toolbridge/api'
import { pointerStep } from './request-body.ts'

type EntryWith<Secret> =
  | (Omit<StdioServerEntry, 'env'> & { readonly env?: Readonly<Record<string, Secret>> | undefined })
  | (Omit<HttpServerEntry, 'headers'> & { readonly headers?: Readonly<Record<string, Secret>> | undefined })

/** A server as it is kept: every secret in clear. */
export type ClearEntry = EntryWith<string>

/** The servers of one owner by name, every secret in clear. */
export type ClearServers = Readonly<Record<string, ClearEntry>>

/** The servers as a page may see them: a reference stands for every value that may be a secret. */
export function maskServers(servers: ClearServers, version: number): Readonly<Record<string, ServerEntry>> {
  return mapValues(servers, (entry) => mapSecrets<string, KeptSecret>(entry, () => ({ kept: version })))
}

/** The versions whose values the servers refer to. */
export function keptVersions(servers: Readonly<Record<string, ServerEntry>>): readonly number[] {
  return [...new Set(references(servers).map(({ version }) => version))]
}

/** JSON pointers of the references, in the document that was sent. */
export function keptPaths(servers: Readonly<Record<string, ServerEntry>>): ReadonlySet<string> {
  return new Set(references(servers).map(({ path }) => path))
}

/** Servers whose references were followed, and the references that lead nowhere. */
export interface RestoredServers {
  readonly servers: ClearServers
  readonly issues: readonly ProblemIssue[]
}

/** Puts kept values back: each reference means the value of the same name of the same server in its version. */
export function restoreKept(
  servers: Readonly<Record<string, ServerEntry>>,
  versions: ReadonlyMap<number, ClearServers>,
): RestoredServers {
  const issues: ProblemIssue[] = []
  const restored = mapValues(servers, (entry, server) =>
    mapSecrets<string | KeptSecret, string>(entry, (secret, name) => {
      if (typeof secret === 'string') return secret
      const kept = ownValue(secretsOf(ownValue(versions.get(secret.kept) ?? {}, server)), name)
      if (kept === undefined) issues.push(nothingKept(secret.kept, secretPath(server, entry, name)))
      return kept ?? ''
    }),
  )
  return { servers: restored, issues }
}

function nothingKept(version: number, path: string): ProblemIssue {
  return { path, message: `version ${version} keeps no value for this name; enter the value itself` }
}

function references(
  servers: Readonly<Record<string, ServerEntry>>,
): readonly { readonly version: number; readonly path: string }[] {
  return Object.entries(servers).flatMap(([server, entry]) =>
    Object.entries(secretsOf(entry)).flatMap(([name, secret]) =>
      typeof secret === 'string' ? [] : [{ version: secret.kept, path: secretPath(server, entry, name) }],
    ),
  )
}

function secretPath(server: string, entry: EntryWith<unknown>, name: string): string {
  return ['mcpServers', server, 'url' in entry ? 'headers' : 'env', name].map(pointerStep).join('')
}

function secretsOf<Secret>(entry: EntryWith<Secret> | undefined): Readonly<Record<string, Secret>> {
  if (entry === undefined) return {}
  return ('url' in entry ? entry.headers : entry.env) ?? {}
}

function mapSecrets<From, To>(
  entry: EntryWith<From>,
  change: (secret: From, name: string) => To,
): EntryWith<To> {
  if ('url' in entry) {
    const { headers, ...rest } = entry
    if (headers === undefined) return rest
    return { ...rest, headers: mapValues(headers, change) }
  }
  const { env, ...rest } = entry
  if (env === undefined) return rest
  return { ...rest, env: mapValues(env, change) }
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
