import { parsedUrl } from '@toolbridge/client/internal'
import { UsageError } from '../usage-error.ts'
import type { DefinedEntry, GivenValues } from './defined-entry.ts'
import type { InputReferences } from './input-references.ts'
import type { NamedInput, RegistryRemote } from './server-document.ts'

/** Transports of remotes, the preferred one first, and their names in definitions. */
const transports: Readonly<Record<string, string>> = { 'streamable-http': 'http', sse: 'sse' }

/** The remote to use: the first one with the preferred transport. */
export function preferredRemote(remotes: readonly RegistryRemote[]): RegistryRemote | undefined {
  return Object.keys(transports)
    .map((transport) => remotes.find(({ type }) => type === transport))
    .find((remote) => remote !== undefined)
}

/** The entry that connects to a remote. */
export function remoteEntry(
  { type, url, variables, headers }: RegistryRemote,
  given: GivenValues,
  references: InputReferences,
): DefinedEntry {
  requireHttps(url, Object.keys(variables))
  const named = new Set(Object.keys(given.headers).map((name) => name.toLowerCase()))
  const open = headers.filter(({ name }) => !named.has(name.toLowerCase()))
  const values = open.flatMap((header) => {
    const value = references.valueOf(requireHeaderName(header), header)
    return value === undefined ? [] : [[header.name, value] as const]
  })
  const address = references.filled(url, variables)
  // With the values of the publisher, and something for those that a person will give.
  requireHttps(address.replaceAll(/\$\{input:[^{}]*\}/g, 'x'), [])
  return {
    entry: {
      type: transports[type],
      url: address,
      headers: { ...Object.fromEntries(values), ...given.headers },
    },
    optional: open.filter(({ name }) => !values.some(([set]) => set === name)).map(({ name }) => name),
  }
}

function requireHeaderName({ name }: NamedInput): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name
  throw new UsageError(`the registry names an invalid header: ${JSON.stringify(name)}`)
}

/** A variable in the URL may be any part of it but the scheme. */
function requireHttps(url: string, variables: readonly string[]): void {
  const sample = variables.reduce((text, name) => text.replaceAll(`{${name}}`, 'x'), url)
  const parsed = parsedUrl(sample)
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '') return
  throw new UsageError(
    `the registry names a URL that is not https, or has credentials: ${JSON.stringify(url)}. If you trust it, add it yourself: toolbridge add <url>`,
  )
}
