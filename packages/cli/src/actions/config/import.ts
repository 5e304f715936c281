import {
  type DiscoveredConfig,
  discoverConfigs,
  type EditFileOptions,
  editConfigFile,
  entryHash,
  type MergedServer,
  mergeConfigs,
  needsTrust,
  type PolicyChange,
  type ServerSpec,
  type UnwritableField,
  writeConfig,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import { type Invocation, textOption, textOptions } from '../../command.ts'
import { printIssues, searchOptions } from '../../configuration.ts'
import { didYouMean } from '../../did-you-mean.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { print, printError, type Terminal } from '../../terminal.ts'
import { trustCommand, trustStoreOf } from '../../trust.ts'
import { UsageError } from '../../usage-error.ts'
import { policyLines } from './policy-lines.ts'
import { editOptions, remindOfTrust, targetFile } from './target.ts'

export async function importServers(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const target = await targetFile(terminal, options)
  const { file } = target
  const { env, cwd } = searchOptions(terminal, options)
  const all = await discoverConfigs({ env, cwd, signal: terminal.signal })
  const found = target.needsTrust ? all : await withoutUntrusted(all, terminal)
  const from = textOption(options, 'from')
  requireHost(found, from)
  const merged = mergeConfigs(withTargetFirst(found, file, from))
  const names = new Set(textOptions(options, 'server'))
  requireServers(merged.servers, names)
  const chosen = merged.servers.filter(
    ({ spec }) => spec.source.file !== file && (names.size === 0 || names.has(spec.name)),
  )
  const { policies } = writeConfig(
    chosen.map(({ spec }) => spec),
    { dialect: 'mcp-servers' },
  )
  const isDry = options['dry-run'] === true
  const losses = isDry || chosen.length === 0 ? [] : await write(file, chosen, editOptions(terminal, options))
  const added = chosen.map(({ spec }) => ({ name: spec.name, from: spec.source.file, dialect: spec.dialect }))
  const isWritten = !isDry && chosen.length > 0
  const report = { file, added, losses, policies, issues: merged.issues, isWritten }
  printResult(invocation, report, () => {
    printIssues(terminal, merged.issues)
    describe(chosen, policies, { file, isDry }, terminal)
    for (const { server, field, reason } of losses)
      printError(terminal, printable(`dropped: server "${server}": ${field}: ${reason}`))
    const imported = chosen.map(({ spec }) => spec.name)
    if (isWritten) remindOfTrust(terminal, target, imported)
  })
  return ExitCode.Ok
}

/**
 * Leaves out servers of the project that are not trusted, and prints which: in a file that needs no trust they would start
 * without being asked about.
 */
async function withoutUntrusted(
  found: readonly DiscoveredConfig[],
  terminal: Terminal,
): Promise<readonly DiscoveredConfig[]> {
  const store = trustStoreOf(terminal)
  const isUsable = async (spec: ServerSpec): Promise<boolean> => {
    if (!needsTrust(spec) || (await store.isTrusted(entryHash(spec)))) return true
    const what = `"${spec.name}" of ${spec.source.file} is defined by the project and not trusted, so it is not imported`
    printError(terminal, `toolbridge: ${printable(what)}. Trust it with ${trustCommand(spec.name)}`)
    return false
  }
  return Promise.all(
    found.map(async (config) => {
      const { servers } = config.reading
      const usable = await Promise.all(servers.map(isUsable))
      return {
        ...config,
        reading: { ...config.reading, servers: servers.filter((_spec, index) => usable[index]) },
      }
    }),
  )
}

function requireHost(found: readonly DiscoveredConfig[], from: string | undefined): void {
  const hosts = new Set(found.map(({ reading }) => reading.dialect).filter((dialect) => dialect !== ''))
  if (from !== undefined && !hosts.has(from))
    throw new UsageError(`no file of host "${from}" found. Found files of: ${listed(hosts)}`)
}

function requireServers(servers: readonly MergedServer[], wanted: ReadonlySet<string>): void {
  const names = new Set(servers.map(({ spec }) => spec.name))
  const missing = [...wanted].find((name) => !names.has(name))
  if (missing !== undefined)
    throw new UsageError(
      `unknown server "${missing}".${didYouMean(missing, [...names])} Servers to import: ${listed(names)}`,
    )
}

function listed(names: ReadonlySet<string>): string {
  return [...names].join(', ') || 'none'
}

/** Servers already in the target file take precedence over those to import. */
function withTargetFirst(
  found: readonly DiscoveredConfig[],
  file: string,
  from: string | undefined,
): readonly DiscoveredConfig[] {
  const own = found.filter((each) => each.file === file).map((each) => ({ ...each, scope: 'flag' as const }))
  const others = found.filter((each) => each.file !== file)
  return [...own, ...others.filter(({ reading }) => from === undefined || reading.dialect === from)]
}

async function write(
  file: string,
  chosen: readonly MergedServer[],
  settings: EditFileOptions,
): Promise<readonly UnwritableField[]> {
  const changes = chosen.map(({ spec: server }) => ({ kind: 'add', server }) as const)
  return (await editConfigFile(file, changes, settings)).unwritableFields
}

function describe(
  chosen: readonly MergedServer[],
  policies: readonly PolicyChange[],
  { file, isDry }: { readonly file: string; readonly isDry: boolean },
  terminal: Terminal,
): void {
  const verb = isDry ? 'would add' : 'added'
  for (const { spec } of chosen) print(terminal, printable(`${verb} "${spec.name}" of ${spec.source.file}`))
  if (chosen.length === 0) print(terminal, printable(`nothing to add to ${file}`))
  for (const line of policyLines(policies)) printError(terminal, line)
  const written = chosen.filter(({ spec }) => mayHoldSecrets(spec)).map(({ spec }) => `"${spec.name}"`)
  if (written.length > 0)
    printError(
      terminal,
      printable(
        `toolbridge: ${written.join(', ')} contain literal values, possibly secrets. Before you share ${file}, replace them with \${env:NAME}`,
      ),
    )
}

function mayHoldSecrets(spec: ServerSpec): boolean {
  const values = Object.values(spec.transport === 'stdio' ? spec.env : spec.headers)
  return values.some((value) => !value.includes('${'))
}
