import { ConfigError } from '@toolbridge/bridge'
import { reportServers, type ServerReport } from '@toolbridge/bridge/config'
import { diagnose, type StageResult } from '@toolbridge/bridge/doctor'
import { colorsFor } from '../colors.ts'
import { type Invocation, type Options, textOption, textOptions } from '../command.ts'
import { type LoadedConfiguration, loadConfiguration } from '../configuration.ts'
import { didYouMean } from '../did-you-mean.ts'
import { printResult } from '../display/print-result.ts'
import { readBundle, writeBundle } from '../doctor/bundle.ts'
import { type DoctorReport, exitCodeOf } from '../doctor/doctor-report.ts'
import { fixConfiguration } from '../doctor/fix.ts'
import { jsonReport, jsonWithout } from '../doctor/json-report.ts'
import { Progress } from '../doctor/progress.ts'
import { textReport } from '../doctor/text-report.ts'
import { ExitCode } from '../exit-code.ts'
import { isAbout } from '../servers/is-about.ts'
import { messageHandler, messagesFrom } from '../messages.ts'
import { describeSearch, whereLooked } from '../nothing-found.ts'
import { readRulesFiles } from '../permissions/effective-permissions.ts'
import { withUselessRules } from '../permissions/useless-rules.ts'
import { print, printError, type Terminal } from '../terminal.ts'
import { startingAccess, terminalAccess, terminalAuthority } from '../terminal-bridge.ts'
import { callTimeoutOf, timeoutsFrom } from '../timeouts.ts'
import { trustStoreOf } from '../trust.ts'
import { UsageError } from '../usage-error.ts'

/** Runs `toolbridge doctor`. */
export async function examine(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const replayed = textOption(options, 'replay')
  if (replayed !== undefined) return show(await readBundle(replayed, terminal), invocation)
  const loaded = await loadConfiguration(terminal, options).catch(unreadable)
  if (loaded === undefined) return nothingFound(invocation)
  const report = await diagnosed(selected(loaded, textOptions(options, 'server')), options, terminal)
  const code = show(report, invocation)
  const bundle = textOption(options, 'bundle')
  if (bundle !== undefined) await writeBundle(bundle, report, terminal)
  if (options['fix'] === true) {
    const dialect = textOption(options, 'dialect')
    await fixConfiguration(report.results, terminal, {
      servers: loaded.servers,
      isConfirmed: options['yes'] === true,
      ...(dialect === undefined ? {} : { dialect }),
    })
  }
  return code
}

async function nothingFound(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const search = await whereLooked(terminal, options)
  for (const line of describeSearch(search)) printError(terminal, line)
  printResult(invocation, jsonWithout(search), () => {})
  return ExitCode.NoConfiguration
}

/** A file that cannot be read is a finding too. */
function unreadable(error: unknown): LoadedConfiguration {
  if (!(error instanceof ConfigError)) throw error
  const { issues } = error
  const file = issues[0]?.file ?? ''
  return { file, files: [], dialect: '', servers: [], issues, unreadable: [file] }
}

function show(report: DoctorReport, invocation: Invocation): ExitCode {
  const { options, terminal } = invocation
  printResult(invocation, jsonReport(report), () => {
    for (const line of textReport(report, colorsFor(terminal, terminal.stdout))) print(terminal, line)
  })
  return exitCodeOf(report, options['strict'] === true)
}

/** The configuration with only the named servers, or with all if none is named. */
function selected(loaded: LoadedConfiguration, names: readonly string[]): LoadedConfiguration {
  if (names.length === 0) return loaded
  const known = [...loaded.servers.map(({ name }) => name), ...(loaded.refused ?? [])]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new UsageError(
      `unknown server "${unknown}".${didYouMean(unknown, known)} Configured servers: ${known.join(', ') || 'none'}`,
    )
  const others = known.filter((name) => !names.includes(name))
  return {
    ...loaded,
    servers: loaded.servers.filter(({ name }) => names.includes(name)),
    refused: (loaded.refused ?? []).filter((name) => names.includes(name)),
    issues: loaded.issues.filter(({ path }) => !others.some((name) => isAbout(path, name))),
  }
}

async function diagnosed(
  loaded: LoadedConfiguration,
  options: Options,
  terminal: Terminal,
): Promise<DoctorReport> {
  const isActive = options['no-active'] !== true
  const servers = loaded.servers.map(timeoutsFrom(options))
  // A list takes as long as a call.
  const listMs = callTimeoutOf(options)
  const results: StageResult[] = []
  const access = isActive
    ? await startingAccess(terminal, loaded.servers, servers, () => progress.stop())
    : terminalAccess(terminal, loaded.servers, servers)
  const isTraced = options['trace'] === true
  const onMessage = await messageHandler(terminal, messagesFrom(options))
  using progress = new Progress(terminal, isActive && !isTraced ? servers.map(({ name }) => name) : [])
  const rules = await readRulesFiles(terminal, options, loaded.files)
  const stages = diagnose({
    configuration: { ...loaded, servers, permissions: rules.map(withUselessRules) },
    ...access,
    isActive,
    ...(listMs === undefined ? {} : { timeouts: { listMs } }),
    ...(onMessage === undefined ? {} : { onMessage }),
  })
  for await (const result of stages) {
    results.push(result)
    progress.passed(result)
  }
  const { file: path, dialect } = loaded
  return { path, dialect: dialect || null, isActive, servers: await serversOf(loaded, terminal), results }
}

async function serversOf(loaded: LoadedConfiguration, terminal: Terminal): Promise<DoctorReport['servers']> {
  const { file, servers, refused = [] } = loaded
  const source = { file, scope: 'flag' as const, reading: { servers, issues: [] } }
  const reports = await reportServers([source], {
    authority: terminalAuthority(terminal),
    trust: trustStoreOf(terminal),
  })
  const configOf = (name: string): ServerReport['definition'] =>
    reports.find((report) => report.name === name)?.definition
  return [
    ...servers.map(({ name, transport }) => ({ name, transport, config: configOf(name) ?? null })),
    ...refused.map((name) => ({ name, transport: null, config: null })),
  ]
}
