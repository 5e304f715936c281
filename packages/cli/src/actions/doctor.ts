import { type BridgeTool, ConfigError, type UpstreamStatus } from '@toolbridge/bridge'
import { entryHash, type Issue, needsTrust, resolveSpec, type ServerSpec } from '@toolbridge/bridge/config'
import { type Colors, colorsFor } from '../colors.ts'
import { type Invocation, wantsJson } from '../command.ts'
import { describeIssue, type LoadedConfiguration, loadConfiguration } from '../configuration.ts'
import { ExitCode } from '../exit-code.ts'
import { printable } from '../printable.ts'
import { stderrLines, withoutQuote } from '../server-failure.ts'
import { print, printJson, type Terminal } from '../terminal.ts'
import { namingOption, timeoutsFrom } from '../timeouts.ts'
import { trustStoreOf } from '../trust.ts'
import { openTerminalBridge, terminalAuthority } from '../terminal-bridge.ts'

interface ServerReport {
  readonly id: string
  readonly type: UpstreamStatus['transport']
  readonly state: UpstreamStatus['state']
  /** Issues with its variables in the current environment. */
  readonly issues: readonly Issue[]
  readonly active: {
    readonly initialize: {
      readonly status: 'ok' | 'failed' | 'skipped'
      readonly protocol_version?: string
      readonly server_info?: object
      readonly elapsed_ms?: number
      readonly error?: string
      readonly stderr?: readonly string[]
    }
    readonly tools: {
      readonly status: 'ok' | 'failed' | 'skipped'
      readonly count: number
      readonly names: readonly string[]
    }
  }
}

interface Report {
  readonly path: string | null
  readonly dialect: string | null
  readonly issues: readonly Issue[]
  readonly servers: readonly ServerReport[]
}

export async function examine({ options, terminal }: Invocation): Promise<ExitCode> {
  const asJson = wantsJson(options)
  const timed = timeoutsFrom(options)
  const loaded = await loadConfiguration(terminal, options)
  const isTraced = options['trace'] === true
  const report = loaded === undefined ? nothingFound : await examineServers(loaded, terminal, timed, isTraced)
  if (asJson) printJson(terminal, { mcp: report }, options['pretty'] === true)
  else for (const line of describe(report, colorsFor(terminal, terminal.stdout))) print(terminal, line)
  return worst(report)
}

const nothingFound: Report = { path: null, dialect: null, issues: [], servers: [] }

async function examineServers(
  loaded: LoadedConfiguration,
  terminal: Terminal,
  timed: (spec: ServerSpec) => ServerSpec,
  isTraced: boolean,
): Promise<Report> {
  const found = loaded.servers.map(async (spec) => [spec.name, await variableIssues(spec, terminal)] as const)
  const issues = new Map(await Promise.all(found))
  const reported = new Set([...issues.values()].flat().map((issue) => issue.code))
  await using bridge = await openTerminalBridge(terminal, loaded.servers, {
    reported,
    startAs: (spec) => timed(optional(spec)),
    isTraced,
  })
  const servers = bridge
    .status()
    .map((status) => serverReport(status, issues.get(status.name) ?? [], bridge.tools))
  return { path: loaded.file, dialect: loaded.dialect, issues: loaded.issues, servers }
}

/** A server that does not start must not prevent the report about the others. */
function optional(spec: ServerSpec): ServerSpec {
  return { ...spec, required: false }
}

/** Resolves nothing of an entry that is not trusted: it may name files that a project must not have read. */
async function variableIssues(spec: ServerSpec, terminal: Terminal): Promise<readonly Issue[]> {
  if (!spec.enabled) return []
  if (needsTrust(spec) && !(await trustStoreOf(terminal).isTrusted(entryHash(spec)))) return []
  try {
    const { signal } = terminal
    return (await resolveSpec(spec, terminalAuthority(terminal), { signal })).issues
  } catch (error) {
    if (error instanceof ConfigError) return error.issues
    throw error
  }
}

function serverReport(
  status: UpstreamStatus,
  issues: readonly Issue[],
  tools: readonly BridgeTool[],
): ServerReport {
  const names = tools.filter((tool) => tool.server === status.name).map((tool) => tool.name)
  const outcome = status.state === 'ready' ? 'ok' : status.state === 'disabled' ? 'skipped' : 'failed'
  return {
    id: status.name,
    type: status.transport,
    state: status.state,
    issues,
    active: {
      initialize: {
        status: outcome,
        ...(status.protocolVersion === undefined ? {} : { protocol_version: status.protocolVersion }),
        ...(status.serverInfo === undefined ? {} : { server_info: status.serverInfo }),
        ...(status.startedInMs === undefined ? {} : { elapsed_ms: Math.round(status.startedInMs) }),
        ...(status.error === undefined ? {} : { error: status.error }),
        ...(status.stderr === undefined || outcome !== 'failed' ? {} : { stderr: status.stderr }),
      },
      tools: { status: outcome, count: names.length, names },
    },
  }
}

function worst({ issues, servers }: Report): ExitCode {
  const all = [...issues, ...servers.flatMap((server) => server.issues)]
  if (all.some((issue) => issue.severity === 'error')) return ExitCode.Config
  const failed = servers.filter((server) => server.active.initialize.status === 'failed')
  if (failed.length === 0) return ExitCode.Ok
  return failed.every(({ state }) => state === 'untrusted') ? ExitCode.Denied : ExitCode.Link
}

function describe(report: Report, colors: Colors): readonly string[] {
  if (report.path === null) {
    return ['No MCP configuration found: looked at --mcp, TOOLBRIDGE_MCP_FILE and .toolbridge/mcp.json.']
  }
  return [
    printable(report.dialect ? `${report.path} (${report.dialect})` : report.path),
    ...report.issues.map((issue) => `  ${describeIssue(issue, colors)}`),
    ...report.servers.flatMap((server) => describeServer(server, colors)),
  ]
}

function describeServer({ id, type, active, issues }: ServerReport, colors: Colors): readonly string[] {
  const title = `${printable(id)} (${type})`
  if (active.initialize.status === 'skipped') return [`${title}: disabled`]
  return [
    title,
    ...issues.map((issue) => `  ${describeIssue(issue, colors)}`),
    ...(active.initialize.status === 'failed'
      ? describeFailed(active, colors)
      : describeReady(active, colors)),
  ]
}

function describeFailed({ initialize }: ServerReport['active'], colors: Colors): readonly string[] {
  const { error = 'unknown', stderr = [] } = initialize
  return [
    `  initialize: ${colors.red('failed')} - ${printable(withoutQuote(namingOption(error), stderr))}`,
    ...stderrLines(stderr),
  ]
}

function describeReady({ initialize, tools }: ServerReport['active'], colors: Colors): readonly string[] {
  const { protocol_version: version, elapsed_ms: elapsedMs } = initialize
  const names = tools.count === 0 ? '' : `: ${tools.names.join(', ')}`
  return [
    `  initialize: ${colors.green('ok')} (protocol ${printable(String(version))}, ${elapsedMs} ms)`,
    `  tools: ${tools.count} discovered${names}`,
  ]
}
