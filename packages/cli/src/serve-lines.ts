import { createInterface } from 'node:readline'
import { type JsonRpcMessage, McpErrorCode } from '@toolbridge/client'
import { refusedMessage } from '@toolbridge/client/internal'
import type { Terminal } from './terminal.ts'

type Send = (message: JsonRpcMessage) => void

/** Serves a host over stdin and stdout, a message per line, until the input ends or the command is interrupted. */
export async function serveLines(
  terminal: Terminal,
  open: (send: Send) => (message: unknown) => void,
): Promise<void> {
  const send: Send = (message) => void terminal.stdout.write(`${JSON.stringify(message)}\n`)
  const receive = open(send)
  const lines = createInterface({ input: terminal.stdin })
  const stop = (): void => lines.close()
  terminal.signal.addEventListener('abort', stop, { once: true })
  lines.on('line', (line) => receiveLine(line, receive, send))
  await new Promise<void>((resolve) => lines.once('close', resolve))
  terminal.signal.removeEventListener('abort', stop)
}

function receiveLine(line: string, receive: (message: unknown) => void, send: Send): void {
  if (line.trim() === '') return
  const refused = refusedMessage(line)
  if (refused !== undefined) {
    const { id, ...error } = refused
    return send({ jsonrpc: '2.0', id, error })
  }
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return send({ jsonrpc: '2.0', id: null, error: { code: McpErrorCode.ParseError, message: 'not JSON' } })
  }
  receive(message)
}
