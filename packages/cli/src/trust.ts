import { escapeInvisible } from '@toolbridge/client/internal'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import {
  entryHash,
  fileTrustStore,
  needsTrust,
  type ServerSpec,
  type TrustStore,
} from '@toolbridge/bridge/config'
import { printable } from './printable.ts'
import { isInteractive, printError, type Terminal } from './terminal.ts'

/**
 * Where this person's trust is kept: in their own folder, and never where a command line or a project says, since a
 * project could bring its own.
 */
export function trustStoreOf(terminal: Terminal): TrustStore {
  return fileTrustStore(join(ownFolder(terminal), 'trust'))
}

/** The folder in which this person's trust is kept. */
export function ownFolder({ env }: Terminal): string {
  const data = env['TOOLBRIDGE_DATA']
  return data !== undefined && isAbsolute(data) ? data : join(homedir(), '.toolbridge')
}

/**
 * Shows what a project wants to start, and asks once for each entry that is new or has changed. Without a terminal
 * nobody is asked: such a server is not started, and stderr says how to trust it.
 */
export async function askForTrust(
  terminal: Terminal,
  servers: readonly ServerSpec[],
  store: TrustStore,
): Promise<void> {
  for (const spec of servers.filter((each) => each.enabled && needsTrust(each))) {
    if (await store.isTrusted(entryHash(spec))) continue
    if (!isInteractive(terminal)) printError(terminal, howToTrust(spec))
    else if (await isAgreed(terminal, spec))
      await store.trust(entryHash(spec), `${spec.name} of ${spec.source.file}`)
  }
}

/** A person agrees to an entry as it is written, however a command starts it. */
export function trustAsWritten(
  store: TrustStore,
  written: readonly ServerSpec[],
  started: readonly ServerSpec[],
): TrustStore {
  const hashes = written.map(entryHash)
  const asWritten = new Map(started.map((spec, index) => [entryHash(spec), hashes[index]]))
  return { ...store, isTrusted: (hash) => store.isTrusted(asWritten.get(hash) ?? hash) }
}

function howToTrust({ name, source }: ServerSpec): string {
  const what = `server "${printable(name)}" is defined by the project, in ${printable(source.file)}, and is not started.`
  return `toolbridge: ${what} Agree to it with ${trustCommand(name)}, or name the file yourself: --mcp ${printable(source.file)}`
}

/** The command as it can be typed. A project chooses the name, so it stands there only where it can be nothing else. */
function trustCommand(name: string): string {
  const word = /^\w[\w.-]*$/.test(name) ? ` ${name}` : ''
  return `toolbridge config trust --discover${word}`
}

/** Shows an entry and asks whether it may be started. */
export async function isAgreed(terminal: Terminal, spec: ServerSpec): Promise<boolean> {
  printError(terminal, describeEntry(spec))
  // Loaded here: most commands ask nothing.
  const { confirm, isCancel } = await import('@clack/prompts')
  using typing = listenTo(terminal)
  const answer = await confirm({
    message: 'Do you trust it?',
    active: 'Start it, now and whenever it is the same',
    inactive: 'Leave it out',
    initialValue: false,
    output: terminal.stderr,
    signal: typing.ended,
  })
  terminal.signal.throwIfAborted()
  return !isCancel(answer) && answer
}

/** `ended` is aborted by Ctrl-C, and by Ctrl-D, with which nobody types any more: a prompt does not notice by itself. */
function listenTo(terminal: Terminal): Disposable & { readonly ended: AbortSignal } {
  const ended = new AbortController()
  const onKey = (_text: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    if (key?.ctrl !== true) return
    if (key.name === 'c') terminal.interrupt()
    if (key.name === 'd') ended.abort()
  }
  terminal.stdin.on('keypress', onKey)
  return {
    ended: AbortSignal.any([terminal.signal, ended.signal]),
    [Symbol.dispose]: () => void terminal.stdin.off('keypress', onKey),
  }
}

/** All of it, however long: what is not shown could be what matters. */
export function describeEntry(spec: ServerSpec): string {
  const { name, source, enabled: _enabled, required: _required, dialect: _dialect, ...entry } = spec
  const lines = Object.entries(entry).map(([key, value]) => `  ${key.padEnd(10)} ${exact(value)}`)
  return [
    `${printable(source.file)} came with this project and wants to start ${exact(name)}:`,
    ...lines,
  ].join('\n')
}

/** As JSON, in which what would be invisible, or would move the cursor, is written out. */
function exact(value: unknown): string {
  return escapeInvisible(JSON.stringify(value))
}
