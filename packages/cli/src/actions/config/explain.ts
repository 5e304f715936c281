import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigExplanation,
  type ExplainedField,
  type ExplainedFact,
  type ExplainedPolicy,
  explainConfig,
  type FieldOutcome,
  findConfigs,
  type SourceKind,
  type Issue,
  type MergeSource,
  mergeConfigs,
  readConfigText,
  reportServers,
  type ServerReport,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import { type Colors, colorsFor } from '../../colors.ts'
import { type Invocation, textOption } from '../../command.ts'
import { noConfiguration, printIssues, readConfigurations, searchOptions } from '../../configuration.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { didYouMean } from '../../did-you-mean.ts'
import { isAbout } from '../../servers/is-about.ts'
import { print, type Terminal } from '../../terminal.ts'
import { trustStoreOf } from '../../trust.ts'
import { UsageError } from '../../usage-error.ts'
import { describePolicy } from './policy-words.ts'
import { describeCounts, describeServer } from './server-summary.ts'
import { wrap } from '../../display/wrap.ts'

interface ExplainedFile extends Pick<ConfigExplanation, 'dialect' | 'fields'> {
  readonly file: string
  /** Policies that differ from the default. */
  readonly policies: readonly ExplainedPolicy[]
  /** Facts that differ from the default. */
  readonly facts: readonly ExplainedFact[]
}

interface Explained {
  readonly servers: readonly ServerReport[]
  readonly files: readonly ExplainedFile[]
  readonly issues: readonly Issue[]
}

export async function explainConfiguration(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  const [named] = invocation.positionals
  const isFile = named !== undefined && (/[./\\]/.test(named) || existsSync(resolve(terminal.cwd, named)))
  const explained = await (isFile ? explainOne(named, invocation) : explainFor(named, invocation))
  printResult(invocation, explained, () => {
    for (const line of describe(explained, colorsFor(terminal, terminal.stdout))) print(terminal, line)
    printIssues(terminal, explained.issues)
  })
  return explained.issues.some(({ severity }) => severity === 'error') ? ExitCode.Config : ExitCode.Ok
}

/** All of the configuration, or only the server of this name. */
async function explainFor(name: string | undefined, invocation: Invocation): Promise<Explained> {
  const all = await explainAll(invocation)
  if (name === undefined) return all
  const known = all.servers.map((server) => server.name)
  if (!known.includes(name))
    throw new UsageError(
      `"${name}" is neither a file nor a server.${didYouMean(name, known)} Configured servers: ${known.join(', ') || 'none'}`,
    )
  return {
    servers: all.servers.filter((server) => server.name === name),
    files: all.files
      .map((file) => ({ ...file, fields: file.fields.filter(({ server }) => server === name) }))
      .filter(({ fields }) => fields.length > 0),
    issues: all.issues.filter(({ path }) => isAbout(path, name)),
  }
}

async function explainOne(named: string, { options, terminal }: Invocation): Promise<Explained> {
  const file = resolve(terminal.cwd, named)
  const dialect = textOption(options, 'dialect')
  const text = await readConfigText(file)
  if (typeof text !== 'string') throw ConfigError.of([text])
  const { scope, kind } = await sourceOf(file, { options, terminal })
  const explanation = explainConfig(text, {
    file,
    kind,
    workspaceFolder: terminal.cwd,
    ...(dialect === undefined ? {} : { dialect }),
  })
  const servers = await reportFor([{ file, scope, reading: explanation }], terminal)
  return { servers, files: [explainedFile(file, explanation)], issues: explanation.issues }
}

/** A file in use is the source by which it was found; any other one is like a file given by `--mcp`. */
async function sourceOf(
  file: string,
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
): Promise<{ readonly scope: MergeSource['scope']; readonly kind: SourceKind }> {
  const { configs } = await findConfigs(searchOptions(terminal, options)).catch(() => ({ configs: [] }))
  return configs.find((each) => each.file === file) ?? { scope: 'flag', kind: 'flag' }
}

async function explainAll({ options, terminal }: Invocation): Promise<Explained> {
  const { configs, restrictions } = await readConfigurations(terminal, options)
  if (configs.length === 0) throw await noConfiguration(terminal, options)
  const found = [...configs, ...restrictions]
  const files = await Promise.all(
    configs.map(({ file, reading }) => explainFound(file, reading.dialect, terminal)),
  )
  const servers = await reportFor(found, terminal)
  return { servers, files: files.flat(), issues: mergeConfigs(found).issues }
}

/** Reports what would run in this terminal. */
function reportFor(sources: readonly MergeSource[], terminal: Terminal): Promise<readonly ServerReport[]> {
  const { env, cwd } = terminal
  return reportServers(sources, {
    authority: { kind: 'local', env, workspaceFolder: cwd },
    trust: trustStoreOf(terminal),
  })
}

/** Empty for a file that cannot be read: its issue is reported elsewhere. */
async function explainFound(
  file: string,
  dialect: string,
  terminal: Terminal,
): Promise<readonly ExplainedFile[]> {
  const text = dialect === '' ? undefined : await readConfigText(file)
  if (typeof text !== 'string') return []
  return [explainedFile(file, explainConfig(text, { file, dialect, workspaceFolder: terminal.cwd }))]
}

/** Servers are left out: definitions contain values. */
function explainedFile(file: string, { dialect, fields, policies, facts }: ConfigExplanation): ExplainedFile {
  const isOwn = ({ from }: ExplainedPolicy | ExplainedFact): boolean => from === 'dialect'
  return { file, dialect, fields, policies: policies.filter(isOwn), facts: facts.filter(isOwn) }
}

function describe({ files, servers }: Explained, colors: Colors): readonly string[] {
  return [
    describeCounts(servers),
    ...servers.flatMap((server) => ['', ...describeServer(server, colors)]),
    ...files.flatMap((each) => ['', ...describeFile(each, colors)]),
  ]
}

function describeFile(
  { file, dialect, fields, policies, facts }: ExplainedFile,
  colors: Colors,
): readonly string[] {
  const rules = [...facts, ...policies]
  const servers = [...new Set(fields.map(({ server }) => server))]
  return [
    `Fields of ${colors.bold(printable(file))}${dialect === '' ? '' : ` (${dialect})`}`,
    ...servers.flatMap((server) => [
      `  ${server === '' ? 'outside of the servers' : printable(server)}`,
      ...fields.filter((field) => field.server === server).map((field) => fieldLine(field, colors)),
    ]),
    ...(rules.length === 0 ? [] : ['  rules of this host']),
    ...rules.flatMap((policy) => wrap('    ', describePolicy(policy))),
  ]
}

const outcomeWords: Readonly<Record<FieldOutcome, string>> = {
  kept: 'read',
  translated: 'translated',
  dropped: 'ignored',
  refused: 'refused',
}

function fieldLine({ outcome, path, line, column, reason }: ExplainedField, colors: Colors): string {
  const paint = { kept: colors.green, translated: colors.cyan, dropped: colors.yellow, refused: colors.red }
  const isSameName = reason === '' || path.endsWith(`/${reason}`)
  const why = isSameName ? '' : `: ${reason}`
  const word = paint[outcome](outcomeWords[outcome].padEnd(10))
  return `    ${word} ${printable(`${line}:${column} ${path}${why}`)}`
}
