import {
  type DiscoveredConfig,
  discoverConfigs,
  entryHash,
  findConfigFile,
  type MergedServer,
  mergeConfigs,
  needsTrust,
  type SpecSource,
} from '@toolbridge/bridge/config'
import { type Colors, colorsFor } from '../../colors.ts'
import { type Invocation, wantsJson } from '../../command.ts'
import { printIssues, searchOptions } from '../../configuration.ts'
import { ExitCode } from '../../exit-code.ts'
import { printable } from '../../printable.ts'
import { print, printJson, type Terminal } from '../../terminal.ts'
import { trustStoreOf } from '../../trust.ts'

interface ListedFile {
  readonly file: string
  readonly scope: string
  readonly dialect: string
  readonly namedBy?: string
  readonly isUsed: boolean
  readonly servers: readonly string[]
}

interface ListedServer {
  readonly name: string
  readonly transport: string
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

export async function listConfigurations({ options, terminal }: Invocation): Promise<ExitCode> {
  const asJson = wantsJson(options)
  const search = searchOptions(terminal, options)
  const used = (await findConfigFile(search))?.file
  const found = await discoverConfigs({ ...search, signal: terminal.signal })
  const merged = mergeConfigs(found)
  const files = found.map((each) => listedFile(each, used))
  const servers = await Promise.all(merged.servers.map((server) => listedServer(server, used, terminal)))
  const { issues } = merged
  if (asJson) printJson(terminal, { files, servers, issues }, options['pretty'] === true)
  else {
    for (const line of describe(files, servers, colorsFor(terminal, terminal.stdout))) print(terminal, line)
    printIssues(terminal, issues)
  }
  return ExitCode.Ok
}

function listedFile(
  { file, scope, namedBy, reading }: DiscoveredConfig,
  used: string | undefined,
): ListedFile {
  const servers = reading.servers.map(({ name }) => name)
  const isUsed = file === used
  const named = namedBy === undefined ? {} : { namedBy }
  return { file, scope, dialect: reading.dialect, ...named, isUsed, servers }
}

async function listedServer(
  { spec, scope, shadowed, turnedOffBy }: MergedServer,
  used: string | undefined,
  terminal: Terminal,
): Promise<ListedServer> {
  const isTrusted = needsTrust(spec) ? await trustStoreOf(terminal).isTrusted(entryHash(spec)) : undefined
  return {
    name: spec.name,
    transport: spec.transport,
    enabled: spec.enabled,
    scope,
    ...locationOf(spec.source),
    isUsed: spec.source.file === used,
    ...(isTrusted === undefined ? {} : { isTrusted }),
    ...(turnedOffBy === undefined ? {} : { turnedOffBy }),
    shadowed: shadowed.map((each) => ({
      scope: each.scope,
      ...locationOf(each.source),
      narrower: each.lostRestrictions,
    })),
  }
}

function locationOf({ file, line }: SpecSource): { readonly file: string; readonly line?: number } {
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

function fileLine({ file, scope, dialect, namedBy, isUsed, servers }: ListedFile, colors: Colors): string {
  const by = namedBy === undefined ? '' : `, named by ${namedBy}`
  const what = `${dialect || 'not read'}, ${servers.length} server${servers.length === 1 ? '' : 's'}${by}`
  return `${isUsed ? '*' : ' '} ${scope.padEnd(11)} ${printable(file)} ${colors.dim(`(${what})`)}`
}

function serverLines(server: ListedServer, colors: Colors): readonly string[] {
  const { name, transport, isUsed, shadowed } = server
  const state = stateOf(server)
  const title = `${isUsed ? '*' : ' '} ${colors.bold(printable(name))} (${transport})`
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

function stateOf({ enabled, turnedOffBy, isTrusted }: ListedServer): string {
  if (turnedOffBy !== undefined) return `turned off by ${turnedOffBy}`
  if (!enabled) return 'disabled'
  return isTrusted === false ? 'not trusted' : ''
}
