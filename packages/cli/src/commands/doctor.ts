import type { Bridge, Issue, UpstreamStatus } from '@toolbridge/bridge'
import { type Command, formatOptions, type Invocation, textOption, wantsJson } from '../command.ts'
import { describeIssue, type LoadedConfiguration, loadConfiguration } from '../configuration.ts'
import { ExitCode } from '../exit-code.ts'
import { openTerminalBridge } from '../session.ts'
import { colorsFor, print, printable, printJson, type Terminal } from '../terminal.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Find out what is wrong with a configuration',
  usage: [
    'Usage: toolbridge doctor [--format json [--pretty]]',
    '',
    'Reads the configuration, starts every server, asks each for its tools and says what works, what does not and',
    'what to do about it. Exit status: 0 all well, 2 a broken configuration, 3 a server that does not come up.',
    '',
    'Examples:',
    '  toolbridge doctor',
    '  toolbridge --mcp .vscode/mcp.json doctor --format json --pretty',
  ].join('\n'),
  options: formatOptions,
  run: examine,
}

interface ServerReport {
  readonly id: string
  readonly type: 'stdio' | 'http'
  readonly state: UpstreamStatus['state']
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

async function examine({ options, terminal }: Invocation): Promise<ExitCode> {
  const asJson = wantsJson(options)
  const loaded = await loadConfiguration(terminal, textOption(options, 'mcp'))
  const report = loaded === undefined ? nothingFound : await examineServers(loaded, terminal)
  if (asJson) printJson(terminal, { mcp: report }, options['pretty'] === true)
  else for (const line of describe(report, terminal)) print(terminal, printable(line))
  return worst(report)
}

const nothingFound: Report = { path: null, dialect: null, issues: [], servers: [] }

async function examineServers(loaded: LoadedConfiguration, terminal: Terminal): Promise<Report> {
  await using bridge = await openTerminalBridge(terminal, loaded.servers)
  const servers = bridge.status().map((status) => serverReport(status, bridge))
  return { path: loaded.file, dialect: loaded.dialect, issues: loaded.issues, servers }
}

function serverReport(status: UpstreamStatus, bridge: Bridge): ServerReport {
  const names = bridge.tools.filter((tool) => tool.server === status.name).map((tool) => tool.name)
  const outcome = status.state === 'ready' ? 'ok' : status.state === 'disabled' ? 'skipped' : 'failed'
  return {
    id: status.name,
    type: status.transport,
    state: status.state,
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

function worst(report: Report): ExitCode {
  if (report.issues.some((issue) => issue.severity === 'error')) return ExitCode.Config
  const failed = report.servers.some((server) => server.active.initialize.status === 'failed')
  return failed ? ExitCode.Link : ExitCode.Ok
}

function describe(report: Report, terminal: Terminal): readonly string[] {
  if (report.path === null) {
    return ['No MCP configuration found: looked at --mcp, TOOLBRIDGE_MCP_FILE and .toolbridge/mcp.json.']
  }
  return [
    `${report.path} (${report.dialect})`,
    ...report.issues.map((issue) => `  ${describeIssue(issue)}`),
    ...report.servers.flatMap((server) => describeServer(server, terminal)),
  ]
}

function describeServer({ id, type, active }: ServerReport, terminal: Terminal): readonly string[] {
  const colors = colorsFor(terminal, terminal.stdout)
  const { initialize, tools } = active
  if (initialize.status === 'skipped') return [`${id} (${type}): disabled`]
  if (initialize.status === 'failed') {
    const lines = (initialize.stderr ?? []).map((line) => `    | ${line}`)
    return [
      `${id} (${type})`,
      `  initialize: ${colors.red('failed')} - ${initialize.error ?? 'unknown'}`,
      ...lines,
    ]
  }
  return [
    `${id} (${type})`,
    `  initialize: ${colors.green('ok')} (protocol ${initialize.protocol_version}, ${initialize.elapsed_ms} ms)`,
    `  tools: ${tools.count} discovered${tools.count === 0 ? '' : `: ${tools.names.join(', ')}`}`,
  ]
}
