import { nearestName } from '@toolbridge/client/internal'
import { UsageError } from '../usage-error.ts'
import { RegistryError, shown } from './registry-error.ts'
import type { Registry } from './registry-request.ts'
import { readNames, readServer, type RegistryServer } from './server-document.ts'

/** A server as a command line names it: `io.github.owner/name` or `io.github.owner/name@1.2.3`. */
export interface RegistryName {
  readonly name: string
  /** Default: the latest one. */
  readonly version?: string
}

/** Parses a name of a registry, in reverse DNS notation; undefined if a text is none. */
export function registryName(text: string): RegistryName | undefined {
  const [, name, version] = /^([a-z\d][a-z\d-]*\.[a-z\d.-]*\/[a-z\d][\w.-]*)(?:@(.+))?$/i.exec(text) ?? []
  if (name === undefined) return undefined
  return version === undefined || version === 'latest' ? { name } : { name, version }
}

/** Looks up a server. Throws a `UsageError` with a suggestion if there is none, or no such version, or if it was deleted. */
export async function findServer(
  registry: Registry,
  { name, version }: RegistryName,
): Promise<RegistryServer> {
  const path = `servers/${encodeURIComponent(name)}/versions`
  const response = await registry.get(`${path}/${encodeURIComponent(version ?? 'latest')}`)
  if (response === undefined) throw await unknownServer(registry, { name, ...optional(version) }, path)
  const server = readServer(response)
  if (server.name !== name || (version !== undefined && server.version !== version))
    throw new RegistryError(
      `the registry responded with ${shown(`${server.name} ${server.version}`)} instead of ${name} ${version ?? ''}`.trimEnd(),
    )
  if (server.status === 'deleted')
    throw new UsageError(`${name} ${shown(server.version)} was deleted from the registry${reasonOf(server)}`)
  return server
}

/** The publisher's reason for a status, as the end of a sentence. */
export function reasonOf({ statusMessage }: RegistryServer): string {
  return statusMessage === undefined ? '' : `: ${JSON.stringify(statusMessage)}`
}

function optional(version: string | undefined): { readonly version?: string } {
  return version === undefined ? {} : { version }
}

async function unknownServer(
  registry: Registry,
  { name, version }: RegistryName,
  path: string,
): Promise<UsageError> {
  const versions = version === undefined ? [] : await namesAt(registry, path)
  if (versions.length > 0) {
    const known = versions.slice(0, 10).map((each) => shown(each.version))
    return new UsageError(`${name} has no version "${version}". Versions: ${known.join(', ')}`)
  }
  const ownName = name.slice(name.indexOf('/') + 1)
  const found = await namesAt(registry, 'servers', { search: ownName, version: 'latest', limit: '30' })
  return new UsageError(
    `unknown server "${name}" in the registry ${registry.url}.${suggestion(
      name,
      found.map((each) => shown(each.name)),
    )}`,
  )
}

async function namesAt(
  registry: Registry,
  path: string,
  query?: Readonly<Record<string, string>>,
): Promise<readonly Pick<RegistryServer, 'name' | 'version'>[]> {
  const response = await registry.get(path, query)
  return response === undefined ? [] : readNames(response)
}

function suggestion(name: string, found: readonly string[]): string {
  const nearest = nearestName(name, found)
  if (nearest !== undefined) return ` Did you mean "${nearest}"?`
  return found.length === 0 ? '' : ` Similar names: ${[...new Set(found)].slice(0, 5).join(', ')}`
}
