import { createInterface } from 'node:readline'
import type { Terminal } from '../../terminal.ts'
import { MessageLines } from './message-lines.ts'
import type { MessageReader } from './message-reader.ts'

/** Reads the messages of a chat from an input that is not a terminal. */
export class ScriptReader implements MessageReader {
  readonly #messages: AsyncIterator<string, void>

  constructor(terminal: Terminal) {
    this.#messages = messagesIn(terminal)
  }

  async read(): Promise<string | undefined> {
    const { value } = await this.#messages.next()
    return value ?? undefined
  }

  pause(): () => void {
    return () => {}
  }

  beforePrint(): void {}
}

async function* messagesIn({ stdin, signal }: Terminal): AsyncGenerator<string, void> {
  const lines = new MessageLines()
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity, terminal: false, signal })) {
    const message = lines.add(line) ?? ''
    if (message.trim() !== '') yield message
  }
  const rest = lines.take()
  if (rest.trim() !== '') yield rest
}
