import type { DefinitionReport } from '@toolbridge/api'
import {
  type JsonValue,
  maskEntry,
  readConfig,
  reportServers,
  type ServerReport,
} from '@toolbridge/bridge/config'
import { parsedUrl } from '@toolbridge/client/internal'
import type { ClearEntry, ClearServers } from './mask-servers.ts'
import { storedReading } from './saved-servers.ts'

/** Reports what saved servers amount to, by name. Looks neither at the environment nor at the files of this machine. */
export async function reportSaved(servers: ClearServers): Promise<ReadonlyMap<string, DefinitionReport>> {
  const reading = readConfig(JSON.stringify({ mcpServers: servers }), storedReading)
  const source = { file: storedReading.file, scope: 'context', reading } as const
  const reports = await reportServers([source], { authority: { kind: 'session' } })
  return new Map(reports.map((report) => [report.name, shownReport(report, servers[report.name] ?? {})]))
}

function shownReport({ state, reasons, definition }: ServerReport, entry: ClearEntry): DefinitionReport {
  const shownReasons = reasons.map(({ code, message, fix }) => ({ code, message, fix }))
  if (definition === undefined) return { state, reasons: shownReasons }
  const { headers, variables, tools, timeouts } = definition
  return {
    state,
    reasons: shownReasons,
    definition: {
      ...shownTarget(definition, entry),
      ...(headers === undefined ? {} : { headers }),
      variables,
      tools,
      timeouts,
    },
  }
}

/** The program or URL of a definition as far as it is surely no secret. `entry` is what is saved of it. */
export function shownTarget(
  { program, url }: Pick<NonNullable<DefinitionReport['definition']>, 'program' | 'url'>,
  entry: ClearEntry,
): Pick<NonNullable<DefinitionReport['definition']>, 'program' | 'url'> {
  return {
    ...(program === undefined ? {} : { program: { ...program, command: shownText(entry, 'command') } }),
    ...(url === undefined ? {} : { url: shownUrl(entry) }),
  }
}

function shownText(entry: ClearEntry, field: 'command' | 'url'): string {
  return textOf(maskEntry(entry, '…')[field])
}

/** Of a URL that may contain a secret, only the scheme, host and port. */
function shownUrl(entry: ClearEntry): string {
  const [shown, url] = [shownText(entry, 'url'), parsedUrl(textOf(entry['url']))]
  return shown === '…' && url !== undefined ? `${url.origin}/…` : shown
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
