import { resolve } from 'node:path'
import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigExplanation,
  discoverConfigs,
  type ExplainedField,
  explainConfig,
  type Issue,
  type MergedServer,
  mergeConfigs,
  readConfigText,
} from '@toolbridge/bridge/config'
import { type Colors, colorsFor } from '../../colors.ts'
import { type Invocation, textOption, wantsJson } from '../../command.ts'
import { printIssues, searchOptions } from '../../configuration.ts'
import { ExitCode } from '../../exit-code.ts'
import { printable } from '../../printable.ts'
import { print, printJson, type Terminal } from '../../terminal.ts'
import { requireFile } from './target.ts'

interface ExplainedFile extends Pick<ConfigExplanation, 'dialect' | 'fields' | 'policies'> {
  readonly file: string
}

interface Explained {
  readonly files: readonly ExplainedFile[]
  readonly servers: readonly MergedServer[]
  readonly issues: readonly Issue[]
}

export async function explainConfiguration(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const asJson = wantsJson(options)
  const explained = options['discover'] === true ? await explainAll(invocation) : await explainOne(invocation)
  if (asJson) printJson(terminal, shown(explained), options['pretty'] === true)
  else {
    for (const line of describe(explained, colorsFor(terminal, terminal.stdout))) print(terminal, line)
    printIssues(terminal, explained.issues)
  }
  return explained.issues.some(({ severity }) => severity === 'error') ? ExitCode.Config : ExitCode.Ok
}

async function explainOne({ positionals, options, terminal }: Invocation): Promise<Explained> {
  const [named] = positionals
  const file = named === undefined ? await requireFile(terminal, options) : resolve(terminal.cwd, named)
  const dialect = textOption(options, 'dialect')
  const text = await readConfigText(file)
  if (typeof text !== 'string') throw ConfigError.of([text])
  const explanation = explainConfig(text, {
    file,
    workspaceFolder: terminal.cwd,
    ...(dialect === undefined ? {} : { dialect }),
  })
  const { servers } = mergeConfigs([{ file, scope: 'flag', reading: explanation }])
  return { files: [{ ...explanation, file }], servers, issues: explanation.issues }
}

async function explainAll({ options, terminal }: Invocation): Promise<Explained> {
  const found = await discoverConfigs(searchOptions(terminal, options))
  const files = await Promise.all(
    found.map(({ file, reading }) => explainFound(file, reading.dialect, terminal)),
  )
  return { files: files.flat(), ...mergeConfigs(found) }
}

/** Empty for a file that cannot be read: its issue is reported elsewhere. */
async function explainFound(
  file: string,
  dialect: string,
  terminal: Terminal,
): Promise<readonly ExplainedFile[]> {
  const text = dialect === '' ? undefined : await readConfigText(file)
  if (typeof text !== 'string') return []
  const explanation = explainConfig(text, { file, dialect, workspaceFolder: terminal.cwd })
  return [{ ...explanation, file }]
}

/** Definitions contain values, so only their locations are shown. */
function shown({ files, servers, issues }: Explained): object {
  return {
    files: files.map(({ file, dialect, fields, policies }) => ({
      file,
      dialect,
      fields,
      policies: policies.filter(({ from }) => from === 'dialect'),
    })),
    servers: servers.map(({ spec, scope, shadowed, turnedOffBy }) => ({
      name: spec.name,
      enabled: spec.enabled,
      scope,
      source: spec.source,
      shadowed,
      ...(turnedOffBy === undefined ? {} : { turnedOffBy }),
    })),
    issues,
  }
}

function describe({ files, servers }: Explained, colors: Colors): readonly string[] {
  const merged = servers.filter(({ shadowed }) => shadowed.length > 0)
  return [
    ...files.flatMap((each) => describeFile(each, colors)),
    ...(merged.length === 0 ? [] : [colors.bold('Defined more than once')]),
    ...merged.flatMap(describeMerged),
  ]
}

function describeFile({ file, dialect, fields, policies }: ExplainedFile, colors: Colors): readonly string[] {
  const servers = [...new Set(fields.map(({ server }) => server))]
  const own = policies.filter(({ from }) => from === 'dialect')
  return [
    `${colors.bold(printable(file))}${dialect === '' ? '' : ` (${dialect})`}`,
    ...servers.flatMap((server) => [
      `  ${server === '' ? 'outside the servers' : printable(server)}`,
      ...fields.filter((field) => field.server === server).map((field) => fieldLine(field, colors)),
    ]),
    ...(own.length === 0 ? [] : ['  what this host does differently']),
    ...own.map(({ policy, value }) => `    ${policy}: ${JSON.stringify(value)}`),
  ]
}

function fieldLine({ outcome, path, line, column, reason }: ExplainedField, colors: Colors): string {
  const paint = { kept: colors.green, translated: colors.cyan, dropped: colors.yellow, refused: colors.red }
  const why = reason === '' ? '' : `: ${reason}`
  return `    ${paint[outcome](outcome.padEnd(10))} ${printable(`${line}:${column} ${path}${why}`)}`
}

function describeMerged({ spec, scope, shadowed }: MergedServer): readonly string[] {
  const location = (file: string, line: number | undefined): string =>
    `${file}${line === undefined ? '' : `:${line}`}`
  return [
    `  ${printable(`${spec.name}: ${location(spec.source.file, spec.source.line)} (${scope})`)} is used`,
    ...shadowed.map(({ source, scope: other, lostRestrictions }) => {
      const lost = lostRestrictions.length === 0 ? '' : `, and was narrower: ${lostRestrictions.join(', ')}`
      return printable(`    ${location(source.file, source.line)} (${other}) is not${lost}`)
    }),
  ]
}
