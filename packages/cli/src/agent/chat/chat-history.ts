import { join } from 'node:path'
import { ensurePrivateFolder, printable, readFileIfExists, replaceFile } from '@toolbridge/client/internal'
import { printError, type Terminal } from '../../terminal.ts'
import { ownFolder } from '../../trust.ts'

/** Number of messages that are kept. */
export const maxHistory = 1000

const maxLength = 10_000

/** What was typed in chats, in a private file of the user: one JSON text per line, the most recent last. */
export class ChatHistory {
  readonly #terminal: Terminal
  readonly #folder: string
  #entries: readonly string[] = []
  #hasFailed = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    this.#folder = join(ownFolder(terminal), 'chat')
  }

  /** Reads what is kept. */
  async load(): Promise<void> {
    await this.#reportFailure(async () => {
      this.#entries = await this.#read()
    })
  }

  /** A list of its own, as `node:readline` wants it. */
  mostRecentFirst(): string[] {
    return this.#entries.toReversed()
  }

  /** Keeps a message, unless it begins with a space, is very long, or repeats the last one. */
  async add(message: string): Promise<void> {
    if (message.startsWith(' ') || message.length > maxLength || message === this.#entries.at(-1)) return
    this.#entries = withEntry(this.#entries, message)
    await this.#reportFailure(async () => {
      await ensurePrivateFolder(this.#folder)
      // Other chats may have added something.
      const text = withEntry(await this.#read(), message)
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join('')
      await replaceFile({ folder: this.#folder, name: fileName }, text, 'volatile')
    })
  }

  async #read(): Promise<readonly string[]> {
    const text = (await readFileIfExists(join(this.#folder, fileName))) ?? ''
    return text.split('\n').flatMap(entryIn).slice(-maxHistory)
  }

  /** A chat works without its history. The first problem is printed. */
  async #reportFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!this.#hasFailed)
        printError(this.#terminal, `toolbridge: the history is not kept: ${printable(String(error))}`)
      this.#hasFailed = true
    }
  }
}

const fileName = 'history'

function withEntry(entries: readonly string[], entry: string): readonly string[] {
  return [...entries, entry].slice(-maxHistory)
}

/** The text of a line; none if the line is damaged. */
function entryIn(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'string' ? [entry] : []
  } catch {
    return []
  }
}
