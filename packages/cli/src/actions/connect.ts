import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigChange,
  editConfig,
  editConfigFile,
  readConfig,
  readConfigText,
  restoreConfigFile,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { connectionRecords } from '../connect/connection-records.ts'
import { entryName, gatewayEntry } from '../connect/gateway-entry.ts'
import { hostFile } from '../connect/host-file.ts'
import { isChangeConfirmed, printChange } from '../display/confirm-change.ts'
import { describeChange } from '../display/describe-change.ts'
import { ExitCode } from '../exit-code.ts'
import { print, printError, type Terminal } from '../terminal.ts'

/** Writes the entry that starts Toolbridge in the file of a host. */
export async function connectHost(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const file = await hostFile(invocation)
  const before = await textOf(file)
  const name = entryName(options)
  const { has, server: former } = entryIn(before, file, name, terminal)
  const servers = gatewayEntry(options, terminal)
  const changes = servers.map((server): ConfigChange => ({ kind: has ? 'replace' : 'add', server }))
  const after = changes.reduce((text, change) => editedText(text, change, file, terminal), before ?? '')
  if (after === before) return done(terminal, `${file} has this entry already`)
  const lines = servers.flatMap((server) => describeChange({ before: former, after: server, isOwn: true }))
  const change = has ? `changes "${name}" in ${file}:` : `adds "${name}" to ${file}:`
  if (!(await isAgreed(invocation, change, lines))) return ExitCode.Denied
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
  const { has, server } = entryIn(text, file, name, terminal)
  if (text === undefined || !has) return done(terminal, `${file} has no entry "${name}"`)
  const records = connectionRecords(terminal)
  const original = await records.before(file, text)
  const change: ConfigChange = { kind: 'remove', name }
  // Throws before a question if the entry cannot be removed.
  if (original === undefined) editedText(text, change, file, terminal)
  const lines = describeChange({ before: server })
  if (!(await isAgreed(invocation, `removes "${name}" from ${file}:`, lines))) return ExitCode.Denied
  const isRestored =
    original !== undefined &&
    (await restoreConfigFile(file, { from: text, to: original ?? undefined }, { signal }))
  if (!isRestored) await editConfigFile(file, [change], { workspaceFolder, signal })
  await records.forget(file)
  return done(terminal, `disconnected: "${name}" is no longer in ${file}. Restart the host to unload it`)
}

/** Shows what changes in the entry and asks for consent, unless the command line gives it. */
async function isAgreed(
  { options, terminal }: Invocation,
  change: string,
  lines: readonly string[],
): Promise<boolean> {
  printError(terminal, printable(change))
  printChange(lines, terminal)
  return options['yes'] === true || (await isChangeConfirmed(terminal))
}

async function textOf(file: string): Promise<string | undefined> {
  const text = await readConfigText(file)
  if (typeof text === 'string') return text
  if (text.code === 'file_missing') return undefined
  throw ConfigError.of([text])
}

/** Whether the file has the entry, and its definition if it can be used. */
function entryIn(
  text: string | undefined,
  file: string,
  name: string,
  { cwd }: Terminal,
): { readonly has: boolean; readonly server?: ServerSpec } {
  if (text === undefined) return { has: false }
  const { servers, refused = [] } = readConfig(text, { file, workspaceFolder: cwd })
  const server = servers.find((each) => each.name === name)
  return server === undefined ? { has: refused.includes(name) } : { has: true, server }
}

function editedText(text: string, change: ConfigChange, file: string, { cwd }: Terminal): string {
  return editConfig(text, change, { file, workspaceFolder: cwd }).text
}

function done(terminal: Terminal, line: string): ExitCode {
  print(terminal, printable(line))
  return ExitCode.Ok
}
