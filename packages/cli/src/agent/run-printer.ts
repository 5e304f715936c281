import type { AgentEvent, AgentResult } from '@toolbridge/agent'
import { colorsFor } from '../colors.ts'
import { type Invocation, type Options, wantsJson } from '../command.ts'
import { printable } from '../printable.ts'
import { print, printJson, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import type { AgentSession } from './agent-session.ts'
import { EventPrinter } from './event-printer.ts'
import type { SessionOutput } from './session-output.ts'
import { type ToolResultShape, toolResultShape } from './tool-result-shape.ts'

/** Prints a run in the format of the command line. */
export class RunPrinter implements SessionOutput {
  readonly #options: Options
  readonly #terminal: Terminal
  readonly #events: EventPrinter
  readonly #isStreamed: boolean
  readonly #toolResults: ToolResultShape[] = []

  constructor({ options, terminal }: Invocation, showsCalls: boolean) {
    const isJson = wantsJson(options)
    this.#options = options
    this.#terminal = terminal
    this.#isStreamed = options['stream'] === true || (!isJson && terminal.stdout.isTTY === true)
    if (isJson && this.#isStreamed && options['pretty'] === true)
      throw new UsageError('--pretty and --stream cannot be combined: a stream has one event per line')
    const colors = colorsFor(terminal, terminal.stderr)
    this.#events = new EventPrinter(terminal, { colors, isStreamed: this.#isStreamed && !isJson, showsCalls })
  }

  show(event: AgentEvent, session: AgentSession): void {
    if (this.#isStreamed && wantsJson(this.#options)) printJson(this.#terminal, event, false)
    else this.#events.show(event)
    if (event.type === 'tool.finished' && this.#options['tool-results'] === true)
      this.#showResult(toolResultShape(event, session.toolNamed(event.tool)))
  }

  endLine(): void {
    this.#events.endLine()
  }

  pause(): () => void {
    return this.#events.pause()
  }

  finish({ text, end, steps, usage, id }: AgentResult): void {
    this.endLine()
    if (!wantsJson(this.#options)) {
      if (!this.#isStreamed && text !== '') print(this.#terminal, printable(text))
      return
    }
    const toolResults = this.#options['tool-results'] === true ? { toolResults: this.#toolResults } : {}
    const type = this.#isStreamed ? { type: 'result' } : {}
    const report = { ...type, text, end, steps, usage, run: id, ...toolResults }
    printJson(this.#terminal, report, this.#options['pretty'] === true)
  }

  #showResult(result: ToolResultShape): void {
    if (wantsJson(this.#options)) return void this.#toolResults.push(result)
    this.endLine()
    printJson(this.#terminal, result, false)
  }
}
