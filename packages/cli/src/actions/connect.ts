import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigChange,
  editConfig,
  editConfigFile,
  readConfig,
  readConfigText,
  restoreConfigFile,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { connectionRecords } from '../connect/connection-records.ts'
import { entryName, gatewayEntry } from '../connect/gateway-entry.ts'
import { hostFile } from '../connect/host-file.ts'
import { isChangeConfirmed, printDiff } from '../display/confirm-change.ts'
import { lineDiff } from '../display/line-diff.ts'
import { ExitCode } from '../exit-code.ts'
import { print, printError, type Terminal } from '../terminal.ts'

/** Writes the entry that starts Toolbridge in the file of a host. */
export async function connectHost(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const file = await hostFile(invocation)
  const before = await textOf(file)
  const name = entryName(options)
  const has = isEntryIn(before, file, name, terminal)
  const changes = gatewayEntry(options, terminal).map(
    (server): ConfigChange => ({ kind: has ? 'replace' : 'add', server }),
  )
  const after = changes.reduce((text, change) => editedText(text, change, file, terminal), before ?? '')
  if (after === before) return done(terminal, `${file} has this entry already`)
  if (!(await isAgreed(invocation, file, before ?? '', after))) return ExitCode.Denied
  await editConfigFile(file, changes, { workspaceFolder: terminal.cwd, signal: terminal.signal })
  // The record of the first connection leads back to the original text.
  if (!has) await connectionRecords(terminal).remember(file, before, after)
  return done(terminal, `connected: "${name}" is in ${file}. Restart the host to load it`)
}

/** Removes that entry. The file gets back its text from before it was connected if nothing else has changed it. */
export async function disconnectHost(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const { signal, cwd: workspaceFolder } = terminal
  const file = await hostFile(invocation)
  const name = entryName(options)
  const text = await textOf(file)
  if (text === undefined || !isEntryIn(text, file, name, terminal))
    return done(terminal, `${file} has no entry "${name}"`)
  const records = connectionRecords(terminal)
  const original = await records.before(file, text)
  const change: ConfigChange = { kind: 'remove', name }
  const after = original === undefined ? editedText(text, change, file, terminal) : (original ?? '')
  if (!(await isAgreed(invocation, file, text, after))) return ExitCode.Denied
  const isRestored =
    original !== undefined &&
    (await restoreConfigFile(file, { from: text, to: original ?? undefined }, { signal }))
  if (!isRestored) await editConfigFile(file, [change], { workspaceFolder, signal })
  await records.forget(file)
  return done(terminal, `disconnected: "${name}" is no longer in ${file}. Restart the host to unload it`)
}

/** Shows the change and asks for consent, unless the command line gives it. */
async function isAgreed(
  { options, terminal }: Invocation,
  file: string,
  before: string,
  after: string,
): Promise<boolean> {
  printError(terminal, printable(`${file}:`))
  printDiff(lineDiff(before, after), terminal)
  return options['yes'] === true || (await isChangeConfirmed(terminal))
}

async function textOf(file: string): Promise<string | undefined> {
  const text = await readConfigText(file)
  if (typeof text === 'string') return text
  if (text.code === 'file_missing') return undefined
  throw ConfigError.of([text])
}

function isEntryIn(text: string | undefined, file: string, name: string, { cwd }: Terminal): boolean {
  if (text === undefined) return false
  const { servers, refused = [] } = readConfig(text, { file, workspaceFolder: cwd })
  return refused.includes(name) || servers.some((server) => server.name === name)
}

function editedText(text: string, change: ConfigChange, file: string, { cwd }: Terminal): string {
  return editConfig(text, change, { file, workspaceFolder: cwd }).text
}

function done(terminal: Terminal, line: string): ExitCode {
  print(terminal, printable(line))
  return ExitCode.Ok
}
