import { escapeInvisible, textBefore } from '@toolbridge/client/internal'
import type { ServerSpec } from '@toolbridge/bridge/config'

/** Options of `describeAddition`. */
export interface AdditionOptions {
  /** The file that the server is added to. */
  readonly file: string
  /** Whether values are shown that are not variables. A person may have typed a secret. */
  readonly showsValues: boolean
}

/** What will run or be reached, complete: a hidden part could be the harmful one. */
export function describeAddition(
  server: ServerSpec,
  { file, showsValues }: AdditionOptions,
): readonly string[] {
  const values = server.transport === 'stdio' ? server.env : server.headers
  const label = server.transport === 'stdio' ? 'environment' : 'headers'
  const asked = (server.inputs ?? []).map(({ id }) => id)
  const rows: readonly (readonly [label: string, text: string])[] = [
    server.transport === 'stdio'
      ? ['runs', [server.command, ...server.args].map(word).join(' ')]
      : ['connects to', `${word(showsValues ? server.url : withoutQuery(server.url))} (${server.transport})`],
    ...(server.transport === 'stdio' && server.cwd !== undefined ? [['in', word(server.cwd)] as const] : []),
    ...Object.entries(values).map(
      ([name, value], index) => [index === 0 ? label : '', assignment(name, value, showsValues)] as const,
    ),
    ...(asked.length === 0 ? [] : [['asks for', asked.map(word).join(', ')] as const]),
  ]
  return [
    escapeInvisible(`adds ${JSON.stringify(server.name)} to ${file}:`),
    ...rows.map(([name, text]) => `  ${name.padEnd(12)} ${text}`),
  ]
}

/** A query may have a secret. */
function withoutQuery(url: string): string {
  return url.includes('?') ? `${textBefore(url, '?')}?…` : url
}

function assignment(name: string, value: string, showsValue: boolean): string {
  return `${word(name)}=${showsValue || value.includes('${') ? word(value) : '…'}`
}

/** A word as it is, or quoted as in JSON if it could be taken for several or for something else. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : escapeInvisible(JSON.stringify(text))
}
