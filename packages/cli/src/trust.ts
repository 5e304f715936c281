import { printable, shellWord } from '@toolbridge/client/internal'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import {
  entryHash,
  fileTrustStore,
  needsTrust,
  type ServerSpec,
  type TrustStore,
} from '@toolbridge/bridge/config'
import { isAnsweredYes } from './display/confirm-change.ts'
import { definitionFields, exact } from './display/describe-change.ts'
import { maskedServer } from './display/masked-server.ts'
import { isAttended, printError, type Terminal } from './terminal.ts'

/**
 * The user's trust store. Always in their own folder, never in one that a command line or a project names: a project could
 * bring its own store.
 */
export function trustStoreOf(terminal: Terminal): TrustStore {
  return fileTrustStore(join(ownFolder(terminal), 'trust'))
}

/** The user's own folder: `TOOLBRIDGE_DATA` if it is absolute, else `~/.toolbridge`. */
export function ownFolder({ env }: Terminal): string {
  const data = env['TOOLBRIDGE_DATA']
  return data !== undefined && isAbsolute(data) ? data : join(homedir(), '.toolbridge')
}

/**
 * Asks for trust in each server of a project that is new or has changed. Without a terminal it only prints how to trust
 * the server, which is then not started.
 */
export async function askForTrust(
  terminal: Terminal,
  servers: readonly ServerSpec[],
  store: TrustStore,
  { mayPrompt = true }: { readonly mayPrompt?: boolean } = {},
): Promise<void> {
  const refused: ServerSpec[] = []
  for (const spec of servers.filter((each) => each.enabled && needsTrust(each))) {
    if (await store.isTrusted(entryHash(spec))) continue
    if (!mayPrompt || !isAttended(terminal)) refused.push(spec)
    else if (await isTrustConfirmed(terminal, spec))
      await store.trust(entryHash(spec), `${spec.name} of ${spec.source.file}`)
  }
  for (const file of new Set(refused.map(({ source }) => source.file)))
    printError(terminal, howToTrust(file, namesIn(file, refused)))
}

function namesIn(file: string, servers: readonly ServerSpec[]): readonly string[] {
  return servers.filter(({ source }) => source.file === file).map(({ name }) => name)
}

/** Trust is given to an entry as it is written, also where a command starts it differently. */
export function trustAsWritten(
  store: TrustStore,
  written: readonly ServerSpec[],
  started: readonly ServerSpec[],
): TrustStore {
  const writtenAs = (hash: string): ServerSpec | undefined =>
    written[started.findIndex((spec) => entryHash(spec) === hash)]
  return {
    ...store,
    isTrusted(hash) {
      const spec = writtenAs(hash)
      return store.isTrusted(spec === undefined ? hash : entryHash(spec))
    },
  }
}

function howToTrust(file: string, names: readonly string[]): string {
  const [noun, verb, it] = names.length === 1 ? ['server', 'is', 'it'] : ['servers', 'are', 'them']
  const quoted = names.map((name) => `"${printable(name)}"`).join(', ')
  const what = `${noun} ${quoted} ${verb} defined by the project, in ${printable(file)}, and ${verb} not started.`
  const command = trustCommand(names.length === 1 ? names[0] : undefined)
  return `toolbridge: ${what} Trust ${it} with ${command}, or name the file yourself: --mcp ${shellWord(printable(file))}`
}

/** The command to type. A project chooses the name, so a name that a shell could misread is left out. */
export function trustCommand(name = ''): string {
  const word = /^\w[\w.-]*$/.test(name) ? ` ${name}` : ''
  return `toolbridge config trust${word}`
}

/** Shows an entry and asks whether to trust it. */
export async function isTrustConfirmed(terminal: Terminal, spec: ServerSpec): Promise<boolean> {
  for (const line of describeEntry(terminal, spec)) printError(terminal, line)
  return isAnsweredYes(terminal, {
    message: 'Do you trust this server?',
    active: 'Yes, start it now and whenever it is unchanged',
    inactive: 'No, do not start it',
  })
}

/**
 * What an entry starts. A person who decides sees all of it, however long: a hidden part could be the harmful one. Elsewhere,
 * values that may be secrets are masked.
 */
export function describeEntry(terminal: Terminal, spec: ServerSpec): readonly string[] {
  const fields = definitionFields(isAttended(terminal) ? spec : maskedServer(spec))
  return [
    `${printable(spec.source.file)} came with this project and wants to start ${exact(spec.name)}:`,
    ...[...fields].map(([field, shown]) => `  ${field.padEnd(10)} ${shown}`),
  ]
}
