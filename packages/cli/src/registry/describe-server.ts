import { escapeInvisible } from '@toolbridge/client/internal'
import { reasonOf } from './find-server.ts'
import type { RegistryEntry } from './registry-entry.ts'
import type { RegistryServer } from './server-document.ts'

const maxText = 300

/** Lines about a server of a registry. Texts of the publisher are quoted, and nothing in them can act on a terminal. */
export function describeRegistryServer(
  server: RegistryServer,
  entry: RegistryEntry,
  registry: string,
): readonly string[] {
  const rows: readonly (readonly [label: string, text: string | undefined])[] = [
    ['title', quoted(server.title)],
    ['description', quoted(server.description)],
    ['repository', quoted(server.repository)],
    ['package of', quoted(entry.package?.registryBaseUrl)],
    [
      'not set',
      entry.optional.length === 0 ? undefined : entry.optional.map((name) => quoted(name)).join(', '),
    ],
    ['or --use', entry.alternatives.length === 0 ? undefined : entry.alternatives.join(', ')],
  ]
  return [
    escapeInvisible(
      `${server.name} ${JSON.stringify(server.version)} of ${registry}, in the words of its publisher:`,
    ),
    ...rows.flatMap(([label, text]) => (text === undefined ? [] : [`  ${label.padEnd(12)} ${text}`])),
    ...(server.status === 'deprecated'
      ? [`toolbridge: warning: this server is deprecated${escapeInvisible(reasonOf(server))}`]
      : []),
  ]
}

function quoted(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  return escapeInvisible(JSON.stringify(text.length > maxText ? `${text.slice(0, maxText)}…` : text))
}
