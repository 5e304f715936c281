import { resolve } from 'node:path'
import type { BridgeMessage } from '@toolbridge/bridge'
import { escapeInvisible, printable } from '@toolbridge/client/internal'
import { type Options, textOption } from './command.ts'
import { printError, type Terminal } from './terminal.ts'

/** What to do with the JSON-RPC messages of a command. */
export interface MessageOptions {
  /** Whether each is printed on stderr. Default: false. */
  readonly isTraced?: boolean
  /** The cassette to which they are appended. Default: none. */
  readonly recordTo?: string | undefined
}

/** Reads `--trace` and `--record`. */
export function messagesFrom(options: Options): MessageOptions {
  return { isTraced: options['trace'] === true, recordTo: textOption(options, 'record') }
}

type OnMessage = (message: BridgeMessage) => void

/** What handles each message; undefined if nothing does. Throws if the cassette cannot be written. */
export async function messageHandler(
  terminal: Terminal,
  { isTraced = false, recordTo }: MessageOptions,
): Promise<OnMessage | undefined> {
  const record = recordTo === undefined ? undefined : await recorderOf(recordTo, terminal)
  if (!isTraced) return record
  return (message) => {
    printMessage(message, terminal)
    record?.(message)
  }
}

/** Imported here: most commands record nothing. */
export async function recorderOf(file: string, terminal: Terminal): Promise<OnMessage> {
  const { recordCassette } = await import('@toolbridge/bridge/cassette')
  return recordCassette(resolve(terminal.cwd, file), {
    onProblem: (message) => printError(terminal, `toolbridge: ${printable(message)}`),
  })
}

const maxTraced = 10_000

function printMessage({ server, direction, text }: BridgeMessage, terminal: Terminal): void {
  const omitted = text.length - maxTraced
  const shown = omitted > 0 ? `${text.slice(0, maxTraced)}… ${omitted} more characters` : text
  printError(terminal, `${direction === 'sent' ? '→' : '←'} ${printable(server)} ${escapeInvisible(shown)}`)
}
