import type { DefinitionReport } from '@toolbridge/api'
import { readConfig, reportServers, type ServerReport } from '@toolbridge/bridge/config'
import type { ClearServers } from './mask-servers.ts'
import { storedReading } from './saved-servers.ts'

/** Reports what saved servers amount to, by name. Looks neither at the environment nor at the files of this machine. */
export async function reportSaved(servers: ClearServers): Promise<ReadonlyMap<string, DefinitionReport>> {
  const reading = readConfig(JSON.stringify({ mcpServers: servers }), storedReading)
  const source = { file: storedReading.file, scope: 'context', reading } as const
  const reports = await reportServers([source], { authority: { kind: 'session' } })
  return new Map(reports.map((report) => [report.name, shownReport(report)]))
}

function shownReport({ state, reasons, definition }: ServerReport): DefinitionReport {
  const shownReasons = reasons.map(({ code, message, fix }) => ({ code, message, fix }))
  if (definition === undefined) return { state, reasons: shownReasons }
  const { program, url, headers, variables, tools, timeouts } = definition
  return {
    state,
    reasons: shownReasons,
    definition: {
      ...(program === undefined ? {} : { program }),
      ...(url === undefined ? {} : { url }),
      ...(headers === undefined ? {} : { headers }),
      variables,
      tools,
      timeouts,
    },
  }
}
