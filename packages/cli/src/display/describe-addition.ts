import { escapeInvisible } from '@toolbridge/client/internal'
import type { ServerSpec } from '@toolbridge/bridge/config'

/** What will run or be reached by a server that is added to a file: all of it, for a hidden part could be the harmful one. */
export function describeAddition(server: ServerSpec, file: string): readonly string[] {
  const values = server.transport === 'stdio' ? server.env : server.headers
  const label = server.transport === 'stdio' ? 'environment' : 'headers'
  const asked = (server.inputs ?? []).map(({ id }) => id)
  const rows: readonly (readonly [label: string, text: string])[] = [
    server.transport === 'stdio'
      ? ['runs', [server.command, ...server.args].map(word).join(' ')]
      : ['connects to', `${word(server.url)} (${server.transport})`],
    ...(server.transport === 'stdio' && server.cwd !== undefined ? [['in', word(server.cwd)] as const] : []),
    ...Object.entries(values).map(
      ([name, value], index) => [index === 0 ? label : '', `${word(name)}=${word(value)}`] as const,
    ),
    ...(asked.length === 0 ? [] : [['asks for', asked.map(word).join(', ')] as const]),
  ]
  return [
    escapeInvisible(`adds ${JSON.stringify(server.name)} to ${file}:`),
    ...rows.map(([name, text]) => `  ${name.padEnd(12)} ${text}`),
  ]
}

/** A word as it is, or quoted as in JSON if it could be taken for several or for something else. */
function word(text: string): string {
  return /^[\w@%+=:,./…-]+$/.test(text) ? text : escapeInvisible(JSON.stringify(text))
}
