import type { StageResult } from '@toolbridge/bridge/doctor'
import { printable } from '@toolbridge/client/internal'
import type { Colors } from '../colors.ts'
import { stderrLines } from '../server-failure.ts'
import { namingOption } from '../timeouts.ts'
import { type DoctorReport, type DoctorServer, isIssue, resultsOf } from './doctor-report.ts'
import { endOf, factsOf, initializeState, stateOf, toolsState } from './server-state.ts'

/** The report as lines for a person. */
export function textReport(report: DoctorReport, colors: Colors): readonly string[] {
  const { path, dialect, servers } = report
  if (path === null) return []
  return [
    printable(dialect ? `${path} (${dialect})` : path),
    ...resultsOf(report, undefined)
      .filter(isProblem)
      .flatMap((result) => problemLines(result, colors)),
    ...servers.flatMap((server) => serverLines(server, resultsOf(report, server.name), colors)),
    summary(report, colors),
  ]
}

function isProblem({ outcome }: StageResult): boolean {
  return outcome === 'warning' || outcome === 'error'
}

function serverLines(
  { name, transport }: DoctorServer,
  results: readonly StageResult[],
  colors: Colors,
): readonly string[] {
  const title = printable(transport === null ? name : `${name} (${transport})`)
  const state = stateOf(results)
  if (state === 'disabled') {
    // A list outside of the entry is where to enable it.
    const list = results.filter(({ code }) => code === 'server_turned_off')
    return [`${title}: disabled`, ...(list.length > 0 ? list : results).flatMap(fixLines)]
  }
  const end = endOf(results)
  const others = results.filter((result) => isProblem(result) && result !== end)
  return [
    colors.bold(title),
    ...(end !== undefined && isIssue(end) ? problemLines(end, colors) : []),
    ...others.flatMap((result) => problemLines(result, colors)),
    ...(state === 'refused' ? [] : activeLines(results, colors)),
  ]
}

function activeLines(results: readonly StageResult[], colors: Colors): readonly string[] {
  const initialize = initializeState(results)
  const end = endOf(results)
  if (initialize.status === 'skipped') return detailLines(results)
  if (initialize.status === 'failed' && end !== undefined)
    return isIssue(end) ? [] : [...detailLines(results), ...failureLines('initialize', end, colors)]
  const { protocol_version: version, elapsed_ms: elapsedMs } = initialize
  const tools = toolsState(results)
  const names = tools.names.length === 0 ? '' : `: ${tools.names.join(', ')}`
  return [
    `  initialize: ${colors.green('ok')} (protocol ${printable(String(version))}, ${elapsedMs} ms)`,
    ...(tools.status === 'failed' && end !== undefined
      ? failureLines('tools', end, colors)
      : [printable(`  tools: ${tools.count} discovered${names}`)]),
    ...detailLines(results),
  ]
}

function failureLines(what: string, result: StageResult, colors: Colors): readonly string[] {
  const { seen, code, stderr = [] } = result
  return [
    `  ${what}: ${colors.red('failed')} - ${printable(namingOption(seen))} [${code}]`,
    ...stderrLines(stderr),
    ...fixLines(result),
  ]
}

/** A finding with a position in a file is one line, as everywhere; any other names its fix on a line of its own. */
function problemLines(result: StageResult, colors: Colors): readonly string[] {
  const { outcome, seen, code, fix = '', location } = result
  const label = outcome === 'error' ? colors.red('error') : colors.yellow('warning')
  if (location === undefined) return [`  ${label}: ${printable(seen)} [${code}]`, ...fixLines(result)]
  const { file, line, column = 1, path = '' } = location
  const position = `${line === undefined ? file : `${file}:${line}:${column}`}${path === '' ? '' : ` ${path}`}`
  return [`  ${printable(position)}: ${label}: ${printable(`${seen} (${fix})`)} [${code}]`]
}

function fixLines({ fix }: StageResult): readonly string[] {
  return fix === undefined ? [] : [`    fix: ${printable(namingOption(fix))}`]
}

/** What was found out about a server that is worth knowing without a problem. */
function detailLines(results: readonly StageResult[]): readonly string[] {
  const text = (stage: StageResult['stage'], name: string): string | undefined => {
    const fact = factsOf(results, stage)?.[name]
    return typeof fact === 'string' || typeof fact === 'number' ? String(fact) : undefined
  }
  const session = factsOf(results, 'era')?.['session']
  const [startMs, listMs, pingMs] = ['startMs', 'listMs', 'pingMs'].map((name) => text('latency', name))
  const tokens = text('tokens', 'tokens')
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['program', text('binary', 'program')],
    ['tls', tlsWords(factsOf(results, 'spawn')?.['tls'])],
    ['session', typeof session === 'boolean' ? (session ? 'yes' : 'none') : undefined],
    ['sign-in', signInWords[text('authorization', 'signIn') ?? '']],
    ['time', startMs && `start ${startMs} ms, list ${listMs} ms, round trip ${pingMs} ms`],
    ['tokens', tokens && `about ${tokens} for the definitions of its tools`],
  ]
  return rows.flatMap(([label, shown]) => (shown === undefined ? [] : [printable(`  ${label}: ${shown}`)]))
}

const signInWords: Readonly<Record<string, string>> = {
  headers: 'by the token in its headers',
  'signed-in': 'signed in',
}

function tlsWords(tls: unknown): string | undefined {
  if (tls === null) return 'none'
  if (typeof tls !== 'object' || !('version' in tls) || !('authority' in tls)) return undefined
  return `${String(tls.version)}, certificate of ${String(tls.authority)}`
}

function summary({ results }: DoctorReport, colors: Colors): string {
  const count = (outcome: string, word: string): string => {
    const found = results.filter((result) => result.outcome === outcome).length
    return `${found} ${word}${found === 1 ? '' : 's'}`
  }
  const hasErrors = results.some(({ outcome }) => outcome === 'error')
  return (hasErrors ? colors.red : colors.green)(`${count('error', 'error')}, ${count('warning', 'warning')}`)
}
