import { createInterface, type Interface } from 'node:readline'
import { colorsFor } from '../../colors.ts'
import type { Terminal } from '../../terminal.ts'
import { type ChatHistory, maxHistory } from './chat-history.ts'
import { MessageLines } from './message-lines.ts'
import type { MessageReader } from './message-reader.ts'

/** Lets a terminal mark the beginning and the end of pasted text. */
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const

const clearLine = '\r\u001b[2K'

/**
 * Reads the messages of a chat from a terminal, with a history. Listens to the keyboard only while it reads. Pasted lines are one
 * message, which Enter sends.
 */
export class PromptReader implements MessageReader {
  readonly #terminal: Terminal
  readonly #history: ChatHistory
  readonly #lines = new MessageLines()
  /** Messages that arrived at once. */
  readonly #arrived: string[] = []
  #interface: Interface | undefined
  /** What was typed before a question. */
  #typed = ''
  #isPasting = false
  #questions = 0
  #finish: ((message: string | undefined) => void) | undefined

  constructor(terminal: Terminal, history: ChatHistory) {
    this.#terminal = terminal
    this.#history = history
  }

  async read(): Promise<string | undefined> {
    const message = await this.#message()
    if (message !== undefined) await this.#history.add(message)
    return message
  }

  pause(): () => void {
    this.#questions += 1
    if (this.#interface !== undefined) this.#terminal.stderr.write('\n')
    this.#close()
    return () => {
      this.#questions -= 1
      this.#open()
    }
  }

  beforePrint(): void {
    const open = this.#interface
    if (open === undefined) return
    this.#terminal.stderr.write(clearLine)
    setImmediate(() => {
      if (this.#interface === open) open.prompt(true)
    })
  }

  #message(): Promise<string | undefined> {
    const { signal } = this.#terminal
    return new Promise((resolve) => {
      const onAbort = (): void => this.#end(undefined)
      this.#finish = (message) => {
        signal.removeEventListener('abort', onAbort)
        resolve(message)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
      else this.#open()
    })
  }

  /** Shows the prompt, if a message is being read and no question is open. */
  #open(): void {
    if (this.#finish === undefined || this.#questions > 0) return
    const { stdin, stderr } = this.#terminal
    const opened = createInterface({
      input: stdin,
      output: stderr,
      terminal: true,
      history: this.#history.mostRecentFirst(),
      historySize: maxHistory,
    })
    this.#interface = opened
    stdin.on('keypress', this.#onKey)
    stderr.write(pasteMarks.on)
    opened
      .on('line', (line) => this.#onLine(line))
      .on('SIGINT', () => this.#onInterrupt())
      .on('close', () => {
        if (this.#interface !== opened) return
        if (this.#arrived.length > 0) this.#send()
        else this.#leave()
      })
    this.#showPrompt()
    if (this.#typed !== '') opened.write(this.#typed)
    this.#typed = ''
  }

  #close(): void {
    const opened = this.#interface
    if (opened === undefined) return
    this.#interface = undefined
    this.#typed = opened.line
    this.#isPasting = false
    this.#terminal.stdin.off('keypress', this.#onKey)
    this.#terminal.stderr.write(pasteMarks.off)
    opened.close()
  }

  #end(message: string | undefined): void {
    this.#close()
    const finish = this.#finish
    this.#finish = undefined
    finish?.(message)
  }

  /** Ctrl-D, or the end of the input. */
  #leave(): void {
    this.#terminal.stderr.write('\n')
    this.#end(undefined)
  }

  #showPrompt(): void {
    const { bold, dim } = colorsFor(this.#terminal, this.#terminal.stderr)
    this.#interface?.setPrompt(this.#lines.isEmpty ? `${bold('>')} ` : `${dim('…')} `)
    this.#interface?.prompt()
  }

  readonly #onKey = (_text: unknown, key?: { readonly name?: string }): void => {
    if (key?.name === 'paste-start') this.#isPasting = true
    if (key?.name === 'paste-end') this.#isPasting = false
  }

  #onLine(line: string): void {
    const message = this.#isPasting ? this.#lines.addPasted(line) : this.#lines.add(line)
    if (message === undefined) return this.#showPrompt()
    this.#arrived.push(message)
    // Not every terminal marks pasted text: lines that arrive at once are one message.
    if (this.#arrived.length === 1) setImmediate(() => this.#send())
  }

  #send(): void {
    if (this.#arrived.length === 0) return
    const message = this.#arrived.splice(0).join('\n').trimEnd()
    if (message === '') this.#showPrompt()
    else this.#end(message)
  }

  /** Ctrl-C forgets what was typed. */
  #onInterrupt(): void {
    const isEmpty = this.#interface?.line === '' && this.#lines.isEmpty
    this.#terminal.stderr.write(isEmpty ? '\nTo leave, press Ctrl-D or type /exit.\n' : '^C\n')
    this.#lines.take()
    this.#close()
    this.#typed = ''
    this.#open()
  }
}
