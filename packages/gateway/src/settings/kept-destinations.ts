import type { DestinationChange } from '@toolbridge/api'
import { fieldDestination, maskEntry, type ServerSpec } from '@toolbridge/bridge/config'
import { parsedUrl } from '@toolbridge/client/internal'
import { pointerTo } from '../errors/issues.ts'
import type { ClearEntry, ClearServers, SecretReference } from './mask-servers.ts'
import { specsOf } from './saved-servers.ts'

/** The servers that a save restores references in, and the versions that these refer to. */
export interface RestoredReferences {
  readonly references: readonly SecretReference[]
  readonly servers: ClearServers
  readonly versions: ReadonlyMap<number, ClearServers>
}

/** Finds the saved secrets that would be sent to another destination than they were saved for. */
export function destinationChanges({
  references,
  servers,
  versions,
}: RestoredReferences): readonly DestinationChange[] {
  const now = destinationsIn(servers)
  const before = new Map([...versions].map(([version, saved]) => [version, destinationsIn(saved)]))
  const changes = references.flatMap(({ server, path, version }) => {
    const field = pointerTo(path)
    const { target, shown: from } = before.get(version)?.(server, field) ?? unknown
    const { target: next, shown: to } = now(server, field) ?? unknown
    return target === next ? [] : [{ server, fields: [field], from, to }]
  })
  return merged(changes)
}

/** Returns those changes that were not confirmed as they are. */
export function unconfirmed(
  changes: readonly DestinationChange[],
  confirmed: readonly DestinationChange[],
): readonly DestinationChange[] {
  return changes.filter(
    (change) =>
      !confirmed.some(
        (agreed) =>
          isSameMove(agreed, change) && change.fields.every((field) => agreed.fields.includes(field)),
      ),
  )
}

interface Destination {
  /** Compared, and never shown: it can be the hash of a secret. */
  readonly target: string
  readonly shown: string
}

/** The destination of a definition that cannot be used. Nothing is sent there. */
const unknown: Destination = { target: '', shown: '…' }

type DestinationOf = (server: string, field: string) => Destination | undefined

function destinationsIn(servers: ClearServers): DestinationOf {
  const specs = new Map(specsOf(servers).map((spec) => [spec.name, spec]))
  return (server, field) => {
    const [spec, entry] = [specs.get(server), servers[server]]
    if (spec === undefined || entry === undefined) return undefined
    return { target: fieldDestination(spec, field).target, shown: shownDestination(spec, entry, field) }
  }
}

function shownDestination(spec: ServerSpec, entry: ClearEntry, field: string): string {
  if (spec.transport === 'stdio') {
    const { command, args = [] } = maskEntry(entry, '…')
    return [command, args].flat().map(String).join(' ')
  }
  const { metadataUrl, authorizationUrl, tokenUrl } = spec.auth ?? {}
  const endpoints = [metadataUrl, authorizationUrl, tokenUrl].flatMap((url) => url ?? [])
  const isForSignIn = field.startsWith('/auth/') && endpoints.length > 0
  const signIn = isForSignIn ? `, signing in at ${[...new Set(endpoints.map(originOf))].join(' and ')}` : ''
  return originOf(spec.url) + signIn
}

function originOf(url: string): string {
  return parsedUrl(url)?.origin ?? '…'
}

/** One change per server and pair of destinations. */
function merged(changes: readonly DestinationChange[]): readonly DestinationChange[] {
  return changes.reduce<readonly DestinationChange[]>((list, change) => {
    const known = list.find((each) => isSameMove(each, change))
    if (known === undefined) return [...list, change]
    const fields = [...known.fields, ...change.fields]
    return list.map((each) => (each === known ? { ...known, fields } : each))
  }, [])
}

function isSameMove(one: DestinationChange, other: DestinationChange): boolean {
  return one.server === other.server && one.from === other.from && one.to === other.to
}
