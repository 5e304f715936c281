import { isJsonObject, namespaceOf, parsedUrl } from '@toolbridge/client/internal'
import { type DocumentLocation, fieldOf, itemsOf } from '../documents/config-document.ts'
import { address } from '../fields/transport.ts'
import { list, map, text } from '../fields/values.ts'
import type { Dialect, LocatedEntry } from './dialect.ts'
import { listEntries } from './shapes.ts'

/** llm-sdk: the argument of `connectMcp` and `mcpToolset`, as an array or one object. */
export const llmSdk: Dialect = {
  name: 'llm-sdk',
  title: 'llm-sdk',
  format: 'json',
  locations: [],
  preset: {
    'naming.sanitize': 'namespace-only',
    'naming.onCollision': 'error',
    'config.both': 'prefer-url',
    'config.sources': ['code'],
    onServerFailure: 'fail',
    stderr: 'inherit',
    'stdout.badLine': 'drop',
    'protocol.accept': 'any',
    'protocol.version': '2025-11-25',
    elicitation: ['handler', 'off'],
    'result.text': 'concat',
    'result.unknown': 'drop',
    'result.structured': 'validate',
  },
  facts: { 'config.roots': [], 'vars.syntax': [], 'vars.fields': 'none', permissions: 'rules' },
  root: {
    key: 'an array',
    fits: (root) => root.node.type === 'array' || isEntry(root),
    locate: (root, context) => {
      const entries = (root.node.type === 'array' ? itemsOf(root) : [root]).map(
        (location): LocatedEntry => ({ name: nameOf(location), location }),
      )
      return listEntries(entries, context)
    },
    knownFields: 'any',
  },
  fields: {
    name: { specFields: [], outcome: 'kept', note: 'the name', read: () => undefined },
    command: text('command'),
    args: list('args'),
    env: map('env'),
    cwd: text('cwd'),
    url: address(),
    headers: map('headers'),
  },
  variables: {},
  addressMeans: 'http',
  write: {
    format: 'json',
    document: ({ entries }) =>
      Object.entries(entries).map(([name, entry]) => (isJsonObject(entry) ? { name, ...entry } : entry)),
  },
}

function isEntry(root: DocumentLocation): boolean {
  return ['command', 'url'].some((key) => fieldOf(root, key)?.node.type === 'string')
}

/** The name, else the one that `mcpToolset` derives; empty if there is nothing to derive it from. */
function nameOf(location: DocumentLocation): string {
  const [name, url, command] = ['name', 'url', 'command'].map((key) => {
    const value = fieldOf(location, key)?.node.value
    return typeof value === 'string' ? value : ''
  })
  if (name) return name
  const usable = url && parsedUrl(url) ? { url } : command ? { command } : undefined
  return usable === undefined ? '' : namespaceOf(usable)
}
