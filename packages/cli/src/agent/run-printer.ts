import type { AgentEvent, AgentResult } from '@toolbridge/agent'
import type { BridgeTool } from '@toolbridge/bridge'
import { colorsFor } from '../colors.ts'
import { type Invocation, type Options, wantsJson } from '../command.ts'
import { printJson, printText, type Terminal } from '../terminal.ts'
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
  /** Whether each event is a line of JSON. */
  readonly #isEventStream: boolean
  /** The tools of servers that were called, by the id of the call. */
  readonly #calls = new Map<string, BridgeTool | undefined>()
  readonly #toolResults: ToolResultShape[] = []

  constructor({ options, terminal }: Invocation, showsCalls: boolean) {
    const isJson = wantsJson(options)
    this.#options = options
    this.#terminal = terminal
    this.#isStreamed = options['stream'] === true || (!isJson && terminal.stdout.isTTY === true)
    this.#isEventStream = isJson && this.#isStreamed
    if (this.#isEventStream && options['pretty'] === true)
      throw new UsageError('--pretty and --stream cannot be combined: a stream has one event per line')
    const colors = colorsFor(terminal, terminal.stderr)
    this.#events = new EventPrinter(terminal, { colors, isStreamed: this.#isStreamed && !isJson, showsCalls })
  }

  /** To be called before the run. */
  start(): void {
    if (!this.#isEventStream) this.#events.start()
  }

  show(event: AgentEvent, session: AgentSession): void {
    if (this.#isEventStream) printJson(this.#terminal, event, false)
    else this.#events.show(event)
    if (this.#options['tool-results'] !== true) return
    if (event.type === 'tool.called') this.#calls.set(event.callId, session.toolOf(event))
    if (event.type === 'tool.finished')
      this.#showResult(toolResultShape(event, this.#calls.get(event.callId)))
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
      if (!this.#isStreamed && text !== '') printText(this.#terminal, text)
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
