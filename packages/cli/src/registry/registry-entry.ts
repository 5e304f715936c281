import type { InputSpec } from '@toolbridge/bridge/config'
import { UsageError } from '../usage-error.ts'
import { shown } from './registry-error.ts'
import type { DefinedEntry, GivenValues } from './defined-entry.ts'
import { InputReferences } from './input-references.ts'
import { isStartable, packageEntry, packageTypes } from './package-entry.ts'
import { preferredRemote, remoteEntry } from './remote-entry.ts'
import type { RegistryPackage, RegistryRemote, RegistryServer } from './server-document.ts'

/** The definition of a server of a registry. */
export interface RegistryEntry extends DefinedEntry {
  readonly inputs: readonly InputSpec[]
  /** The package that is started; undefined for a remote. */
  readonly package?: RegistryPackage
  /** Other ways to use the server, as values of `--use`. */
  readonly alternatives: readonly string[]
}

type Way =
  | { readonly use: string; readonly package: RegistryPackage }
  | { readonly use: 'remote'; readonly remote: RegistryRemote }

/** Makes the entry of a server. `use` selects a type of package or `remote`. Default: the first that is supported. */
export function registryEntry(
  server: RegistryServer,
  name: string,
  given: GivenValues,
  use?: string,
): RegistryEntry {
  const ways = waysOf(server)
  const way = ways.find((each) => use === undefined || each.use === use)
  if (way === undefined) throw new UsageError(unsupported(server, ways, use))
  const references = new InputReferences(name)
  const defined =
    'package' in way
      ? packageEntry(way.package, given, references)
      : remoteEntry(way.remote, given, references)
  return {
    ...defined,
    inputs: references.inputs,
    ...('package' in way ? { package: way.package } : {}),
    alternatives: ways.map((each) => each.use).filter((each) => each !== way.use),
  }
}

function waysOf({ packages, remotes }: RegistryServer): readonly Way[] {
  const remote = preferredRemote(remotes)
  return [
    ...packages.filter(isStartable).map((each) => ({ use: each.registryType, package: each })),
    ...(remote === undefined ? [] : [{ use: 'remote' as const, remote }]),
  ]
}

function unsupported(
  { name, packages, remotes }: RegistryServer,
  ways: readonly Way[],
  use: string | undefined,
): string {
  if (use !== undefined && ways.length > 0)
    return `${name} cannot be used as "${use}". Possible: ${ways.map((each) => each.use).join(', ')}`
  const kinds = [
    ...packages.map(({ registryType, transport }) => `${registryType} package (${transport})`),
    ...remotes.map(({ type }) => `remote (${type})`),
  ]
  const has = kinds.length === 0 ? 'has neither packages nor remotes' : `only has: ${shown(kinds.join(', '))}`
  return `${name} ${has}. Supported: ${packageTypes.join(' and ')} packages over stdio, and remotes over streamable-http or sse`
}
