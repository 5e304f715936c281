import type { AgentEvent } from '@toolbridge/agent'
import { toText } from '@toolbridge/bridge'
import { printable as printableLine } from '@toolbridge/client/internal'
import type { Colors } from '../colors.ts'
import { printable } from '../printable.ts'
import { printError, type Terminal } from '../terminal.ts'

export interface EventPrinterOptions {
  readonly colors: Colors
  /** Whether the answer is printed as it arrives. */
  readonly isStreamed: boolean
  /** Whether calls are printed on stderr. */
  readonly showsCalls: boolean
}

/** Prints what an agent does: its answer on stdout, its calls on stderr. */
export class EventPrinter {
  readonly #terminal: Terminal
  readonly #options: EventPrinterOptions
  /** Whether the last character of the answer was not a line break. */
  #isInLine = false

  constructor(terminal: Terminal, options: EventPrinterOptions) {
    this.#terminal = terminal
    this.#options = options
  }

  show(event: AgentEvent): void {
    if (event.type === 'text' && this.#options.isStreamed) this.#showText(event.text)
    if (!this.#options.showsCalls) return
    const { dim, red } = this.#options.colors
    if (event.type === 'tool.called')
      this.#showLine(dim(`→ ${shortened(`${event.tool} ${JSON.stringify(event.input)}`)}`))
    if (event.type === 'tool.finished') {
      const failure = failureOf(event)
      if (failure !== undefined) this.#showLine(red(`✗ ${shortened(`${event.tool}: ${failure}`)}`))
    }
  }

  /** Ends the line of the answer, to print something else. */
  endLine(): void {
    if (this.#isInLine) this.#terminal.stdout.write('\n')
    this.#isInLine = false
  }

  #showText(text: string): void {
    const shown = printable(text)
    if (shown === '') return
    this.#terminal.stdout.write(shown)
    this.#isInLine = !shown.endsWith('\n')
  }

  #showLine(line: string): void {
    this.endLine()
    printError(this.#terminal, line)
  }
}

const maxLine = 300

function shortened(text: string): string {
  return printableLine(text, { maxLength: maxLine })
}

function failureOf({ result, error }: Extract<AgentEvent, { type: 'tool.finished' }>): string | undefined {
  if (error !== undefined) return error
  return result?.isError === true ? toText(result) : undefined
}
