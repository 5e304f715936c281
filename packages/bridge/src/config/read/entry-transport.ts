import type { Dialect } from '../dialects/dialect.ts'
import { type DocumentLocation, fieldsOf } from '../documents/config-document.ts'
import type { EntryReader } from '../fields/entry-reader.ts'
import type { Policy } from '../spec/policy.ts'
import { defaultTransportOf } from '../spec/remote-transports.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import type { SpecFields } from '../spec/spec-fields.ts'

/** Policies about reading, which override those of the dialect. */
export type ReadingPolicy = Partial<Pick<Policy, 'config.transport' | 'config.both'>>

/** Determines the transport of an entry. Refuses the entry and returns undefined if it is ambiguous or not supported. */
export function transportOf(entry: EntryReader, dialect: Dialect): ServerSpec['transport'] | undefined {
  const transport = statedTransport(entry, dialect)
  if (transport === undefined || dialect.transports?.includes(transport) !== false) return transport
  return entry.refuse(fieldLocation(entry, 'url'), {
    code: 'transport_unsupported',
    message: `${dialect.title} does not support ${transport} servers, and does not start it`,
    fix: 'define the server in a file of another host',
  })
}

/** The dialect with policies in place of its own. */
export function withReadingPolicy(dialect: Dialect, policy: ReadingPolicy | undefined): Dialect {
  if (policy === undefined) return dialect
  const { addressMeans } = dialect
  const preset = { ...dialect.preset, ...policy }
  if (preset['config.transport'] === 'stdio') return { ...dialect, preset, addressMeans: 'nothing' }
  const isInferred = policy['config.transport'] === 'infer' && addressMeans === 'nothing'
  return { ...dialect, preset, addressMeans: isInferred ? 'http' : addressMeans }
}

function statedTransport(entry: EntryReader, dialect: Dialect): ServerSpec['transport'] | undefined {
  const { specFields } = entry
  const both = dialect.preset['config.both'] ?? 'reject'
  if (specFields.url !== undefined && specFields.command !== undefined) return transportOfBoth(entry, both)
  if (specFields.url !== undefined) return remoteTransport(entry, dialect)
  if (specFields.command === undefined) return nothingToReach(entry, dialect)
  if (specFields.transport === undefined || specFields.transport === 'stdio')
    return needsType(entry, dialect) ?? 'stdio'
  return mismatch(entry, 'command')
}

function needsType(entry: EntryReader, dialect: Dialect): undefined {
  if (dialect.preset['config.transport'] !== 'required' || entry.specFields.transport !== undefined) return
  entry.refuse(entry.location, {
    code: 'field_missing',
    message: `"transport" is missing, but ${dialect.title} requires it`,
    found: 'no "transport"',
    expected: '"stdio" or "http"',
    fix: 'add "transport"',
  })
}

function transportOfBoth(
  entry: EntryReader,
  both: 'reject' | 'prefer-url' | 'by-type',
): ServerSpec['transport'] | undefined {
  const { specFields, location } = entry
  if (both === 'reject') {
    return entry.refuse(fieldLocation(entry, 'url'), {
      code: 'url_and_command',
      message: 'it has both a URL and a command',
      found: 'both',
      expected: 'one of the two',
      fix: 'keep "url" for a remote server, or "command" for a local program',
    })
  }
  const transport = both === 'prefer-url' ? remoteOf(specFields) : (specFields.transport ?? 'stdio')
  entry.drop(location, {
    code: 'url_and_command',
    message: `it has both a URL and a command; ${entry.dialectTitle} uses the ${transport === 'stdio' ? 'command' : 'URL'}`,
    fix: 'remove the other one',
  })
  return transport
}

/** The transport of a URL: the one that is named, else by its scheme. */
function remoteOf({ transport, url = '' }: SpecFields): ServerSpec['transport'] {
  if (transport !== undefined && transport !== 'stdio') return transport
  return defaultTransportOf(url)
}

function remoteTransport(entry: EntryReader, dialect: Dialect): ServerSpec['transport'] | undefined {
  const { transport: named } = entry.specFields
  if (named === 'stdio') return mismatch(entry, 'url')
  if (named !== undefined && named !== 'ws' && defaultTransportOf(entry.specFields.url ?? '') === 'ws')
    return schemeMismatch(entry, named)
  if (named !== undefined) return named
  if (needsType(entry, dialect) === undefined && entry.isRefused) return undefined
  const byScheme = remoteOf(entry.specFields)
  if (byScheme !== 'http') return byScheme
  if (dialect.addressMeans !== 'nothing') return dialect.addressMeans
  return entry.refuse(fieldLocation(entry, 'url'), {
    code: 'field_missing',
    message: `"type" is missing, and ${dialect.title} ignores a URL without it`,
    found: 'a URL without "type"',
    expected: '"type": "http" or "sse"',
    fix: 'add "type": "http"',
  })
}

function mismatch(entry: EntryReader, definedBy: 'command' | 'url'): undefined {
  return entry.refuse(fieldLocation(entry, 'transport'), {
    code: 'transport_mismatch',
    message: `it names the transport "${entry.specFields.transport}" but is defined by ${definedBy === 'url' ? 'a URL' : 'a command'}`,
    found: definedBy === 'url' ? 'a URL' : 'a command',
    expected: definedBy === 'url' ? 'a command' : 'a URL',
    fix: 'remove the transport, or define the server accordingly',
  })
}

/** Written without its transport, the entry would be a WebSocket server. */
function schemeMismatch(entry: EntryReader, named: string): undefined {
  return entry.refuse(fieldLocation(entry, 'url'), {
    code: 'transport_mismatch',
    message: `it names the transport "${named}" but has the URL of a WebSocket server`,
    found: 'a ws: or wss: URL',
    expected: 'an http: or https: URL',
    fix: 'correct the URL, or remove the transport',
  })
}

function nothingToReach(entry: EntryReader, dialect: Dialect): undefined {
  if (entry.isRefused) return undefined
  const hasAddresses = Object.values(dialect.fields).some((rule) => rule.specFields.includes('url'))
  return entry.refuse(entry.location, {
    code: 'field_missing',
    message: hasAddresses
      ? 'it has neither a command nor a URL'
      : `it has no command, and ${dialect.title} supports programs only`,
    found: hasAddresses ? 'neither "command" nor "url"' : 'no "command"',
    expected: hasAddresses ? 'one of the two' : 'a "command"',
    fix: hasAddresses
      ? 'add "command" for a local program, or "url" for a remote server'
      : 'add "command", or define the server in another file',
  })
}

/** Location of the field that sets the URL or the transport, whatever its name. */
function fieldLocation(entry: EntryReader, specField: 'url' | 'transport'): DocumentLocation {
  const names =
    specField === 'url' ? ['url', 'serverUrl', 'baseUrl', 'httpUrl'] : ['type', 'transport', 'transportType']
  return fieldsOf(entry.location).find(({ key }) => names.includes(key)) ?? entry.location
}
