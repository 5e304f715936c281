import {
  type DiscoveredConfig,
  discoverConfigs,
  entryHash,
  findConfigs,
  type MergedServer,
  mergeConfigs,
  needsTrust,
  reportServers,
  type ServerReport,
  type ServerState,
  type ServerSpec,
  type SpecSource,
  type StateReason,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import { type Colors, colorsFor } from '../../colors.ts'
import type { Invocation } from '../../command.ts'
import { printIssues, searchOptions } from '../../configuration.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { print, type Terminal } from '../../terminal.ts'
import { trustStoreOf } from '../../trust.ts'
import { stateWords } from './server-summary.ts'

interface ListedFile {
  readonly file: string
  readonly scope: string
  readonly dialect: string
  readonly namedBy?: string
  readonly isUsed: boolean
  readonly servers: readonly string[]
  /** Names of entries that cannot be used. */
  readonly refused: readonly string[]
}

interface ListedServer {
  readonly name: string
  readonly state: ServerState
  /** Why it does not start. */
  readonly reasons: readonly StateReason[]
  /** Omitted for refused servers. */
  readonly transport?: string
  readonly enabled: boolean
  readonly scope: string
  readonly file: string
  readonly line?: number
  readonly isUsed: boolean
  /** Omitted for servers that need no trust. */
  readonly isTrusted?: boolean
  readonly turnedOffBy?: string
  readonly shadowed: readonly {
    readonly scope: string
    readonly file: string
    readonly line?: number
    readonly narrower: readonly string[]
  }[]
}

export async function listConfigurations(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const search = searchOptions(terminal, options)
  const { configs } = await findConfigs(search)
  const used = new Set(configs.map(({ file }) => file))
  const found = await discoverConfigs(search)
  const merged = mergeConfigs(found)
  const files = found.map((each) => listedFile(each, used))
  const authority = { kind: 'local', env: terminal.env, workspaceFolder: terminal.cwd } as const
  const reports = await reportServers(found, { authority, trust: trustStoreOf(terminal) })
  const servers = await Promise.all(
    reports.map((report) => listedServer(report, mergedOf(report, merged.servers), used, terminal)),
  )
  const { issues } = merged
  printResult(invocation, { files, servers, issues }, () => {
    for (const line of describe(files, servers, colorsFor(terminal, terminal.stdout))) print(terminal, line)
    printIssues(terminal, issues)
  })
  return ExitCode.Ok
}

function listedFile(
  { file, scope, namedBy, reading }: DiscoveredConfig,
  used: ReadonlySet<string>,
): ListedFile {
  const servers = reading.servers.map(({ name }) => name)
  const isUsed = used.has(file)
  const named = namedBy === undefined ? {} : { namedBy }
  const { dialect, refused = [] } = reading
  return { file, scope, dialect, ...named, isUsed, servers, refused }
}

/** Undefined for a refused server. */
function mergedOf({ name }: ServerReport, servers: readonly MergedServer[]): MergedServer | undefined {
  return servers.find(({ spec }) => spec.name === name)
}

async function listedServer(
  report: ServerReport,
  merged: MergedServer | undefined,
  used: ReadonlySet<string>,
  terminal: Terminal,
): Promise<ListedServer> {
  const { name, state, reasons, scope, shadowed, definition } = report
  const isTrusted = await trustIn(merged?.spec, terminal)
  return {
    name,
    state,
    reasons,
    ...(definition === undefined ? {} : { transport: definition.transport }),
    enabled: merged?.spec.enabled === true,
    scope,
    ...locationOf(report),
    isUsed: used.has(report.file),
    ...(isTrusted === undefined ? {} : { isTrusted }),
    ...(merged?.turnedOffBy === undefined ? {} : { turnedOffBy: merged.turnedOffBy }),
    shadowed: shadowed.map((each) => ({
      scope: each.scope,
      ...locationOf(each.source),
      narrower: each.lostRestrictions,
    })),
  }
}

async function trustIn(spec: ServerSpec | undefined, terminal: Terminal): Promise<boolean | undefined> {
  if (spec === undefined || !needsTrust(spec)) return undefined
  return trustStoreOf(terminal).isTrusted(entryHash(spec))
}

function locationOf({ file, line }: Pick<SpecSource, 'file' | 'line'>): {
  readonly file: string
  readonly line?: number
} {
  return line === undefined ? { file } : { file, line }
}

function describe(
  files: readonly ListedFile[],
  servers: readonly ListedServer[],
  colors: Colors,
): readonly string[] {
  if (files.length === 0) return ['No configuration files found. See: toolbridge config add --help']
  return [
    colors.bold('Files'),
    ...files.map((each) => fileLine(each, colors)),
    '',
    colors.bold('Servers'),
    ...servers.flatMap((each) => serverLines(each, colors)),
    ...(servers.length === 0 ? ['  none'] : []),
  ]
}

function fileLine(listed: ListedFile, colors: Colors): string {
  const { file, scope, dialect, namedBy, isUsed, servers, refused } = listed
  const by = namedBy === undefined ? '' : `, named by ${namedBy}`
  const bad = refused.length === 0 ? '' : `, ${refused.length} refused`
  const what = `${dialect || 'not read'}, ${servers.length} server${servers.length === 1 ? '' : 's'}${bad}${by}`
  return `${isUsed ? '*' : ' '} ${scope.padEnd(11)} ${printable(file)} ${colors.dim(`(${what})`)}`
}

function serverLines(server: ListedServer, colors: Colors): readonly string[] {
  const { name, transport, isUsed, shadowed } = server
  const state = stateOf(server)
  const kind = transport === undefined ? '' : ` (${transport})`
  const title = `${isUsed ? '*' : ' '} ${colors.bold(printable(name))}${kind}`
  return [
    `${title} ${printable(at(server))}${state === '' ? '' : `: ${colors.yellow(printable(state))}`}`,
    ...shadowed.map((each) => {
      const narrower = each.narrower.length === 0 ? '' : `, which was narrower: ${each.narrower.join(', ')}`
      return colors.dim(printable(`    goes before ${at(each)} (${each.scope})${narrower}`))
    }),
  ]
}

function at({ file, line }: { readonly file: string; readonly line?: number }): string {
  return line === undefined ? file : `${file}:${line}`
}

function stateOf({ state, reasons, turnedOffBy }: ListedServer): string {
  if (turnedOffBy !== undefined) return `turned off by ${turnedOffBy}`
  if (state === 'off') return 'disabled'
  if (state === 'on') return ''
  if (state === 'untrusted') return stateWords.untrusted
  return `${stateWords[state]}: ${reasons.map(({ message }) => message).join('; ')}`
}
