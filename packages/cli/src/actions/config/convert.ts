import { escapeInvisible, printable } from '@toolbridge/client/internal'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigWriting,
  type Issue,
  readConfig,
  readConfigText,
  writeConfig,
  writtenDialects,
} from '@toolbridge/bridge/config'
import { type Invocation, type Options, textOption } from '../../command.ts'
import { printIssues } from '../../configuration.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { printError, type Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { policyLines } from './policy-lines.ts'
import { requireFile } from './target.ts'

export async function convertConfig(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const dialect = targetDialect(textOption(options, 'to'))
  const { writing, issues } = await written(invocation, dialect)
  const isWhole =
    issues.every(({ severity }) => severity !== 'error') &&
    writing.unwritableFields.every(({ outcome }) => outcome !== 'refused')
  const isWritten = isWhole || options['force'] === true
  const output = textOption(options, 'output')
  if (isWritten && output !== undefined) await save(resolve(terminal.cwd, output), writing.text)
  printResult(invocation, { ...writing, issues, isWritten }, () => {
    report(writing, issues, terminal)
    if (isWritten && output === undefined)
      terminal.stdout.write(`${shown(writing.text.trimEnd(), terminal)}\n`)
    if (!isWritten)
      printError(
        terminal,
        'toolbridge: nothing was written; --force omits the servers that cannot be written',
      )
  })
  return isWritten ? ExitCode.Ok : ExitCode.Config
}

function targetDialect(name: string | undefined): string {
  const known = writtenDialects()
  if (name !== undefined && known.includes(name)) return name
  throw new UsageError(`invalid --to: expected one of ${known.join(', ')}`)
}

/** The format that is read, by either of two names. */
function sourceDialect(options: Options): string | undefined {
  const [from, dialect] = [textOption(options, 'from'), textOption(options, 'dialect')]
  if (from !== undefined && dialect !== undefined && from !== dialect)
    throw new UsageError(`--from ${from} contradicts --dialect ${dialect}. Give one of them`)
  return from ?? dialect
}

async function written(
  { positionals, options, terminal }: Invocation,
  dialect: string,
): Promise<{ readonly writing: ConfigWriting; readonly issues: readonly Issue[] }> {
  const [named] = positionals
  const file = named === undefined ? await requireFile(terminal, options) : resolve(terminal.cwd, named)
  const text = await readConfigText(file)
  if (typeof text !== 'string') throw ConfigError.of([text])
  const from = sourceDialect(options)
  const workspaceFolder = terminal.cwd
  const reading = readConfig(text, {
    file,
    workspaceFolder,
    ...(from === undefined ? {} : { dialect: from }),
  })
  if (reading.dialect === '') throw ConfigError.of(reading.issues)
  const output = textOption(options, 'output')
  const target = output === undefined ? {} : { file: resolve(terminal.cwd, output) }
  return {
    writing: writeConfig(reading.servers, { dialect, workspaceFolder, ...target }),
    issues: reading.issues,
  }
}

/** Never overwrites a file. Readable only by its owner, since it may contain secrets. */
async function save(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST')
      throw new UsageError(`${file} already exists; remove it first, or choose another file`)
    throw new UsageError(`cannot write ${file}: ${String(code)}`)
  }
}

function report(
  { unwritableFields, policies }: ConfigWriting,
  issues: readonly Issue[],
  terminal: Terminal,
): void {
  printIssues(terminal, issues)
  for (const { server, field, outcome, reason } of unwritableFields)
    printError(terminal, printable(`${outcome}: server "${server}": ${field}: ${reason}`))
  for (const line of policyLines(policies)) printError(terminal, line)
}

/** Escapes what a terminal could obey: always in JSON, whose value does not change, else only at a terminal. */
function shown(text: string, { stdout }: Terminal): string {
  return text.startsWith('{') || stdout.isTTY === true ? escapeInvisible(text) : text
}
