import type { AgentEvent } from '@toolbridge/agent'
import { toText } from '@toolbridge/bridge'
import { printable as printableLine } from '@toolbridge/client/internal'
import type { Colors } from '../colors.ts'
import { isMissingApproval, missingApproval } from '../missing-approval.ts'
import { printError, type Terminal } from '../terminal.ts'
import { WaitingNotice } from '../while-waiting.ts'
import { PrintableStream } from './printable-stream.ts'
import type { SessionOutput } from './session-output.ts'

export interface EventPrinterOptions {
  /** Colors of stderr. */
  readonly colors: Colors
  /** Whether the answer is printed as it arrives. */
  readonly isStreamed: boolean
  /** Whether calls, and failures that a tool reports, are printed on stderr. Calls that could not be made always are. */
  readonly showsCalls: boolean
}

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>

/** Prints what an agent does: its answer on stdout, its calls on stderr. */
export class EventPrinter implements SessionOutput {
  readonly #terminal: Terminal
  readonly #options: EventPrinterOptions
  readonly #answer = new PrintableStream()
  readonly #waitingForModel: WaitingNotice
  /** Whether the last character of the answer was not a line break. */
  #isInLine = false
  /** Events to print when the open questions are answered. */
  readonly #waiting: AgentEvent[] = []
  #questions = 0

  constructor(terminal: Terminal, options: EventPrinterOptions) {
    this.#terminal = terminal
    this.#options = options
    this.#waitingForModel = new WaitingNotice(terminal, 'waiting for the model')
  }

  /** Whether the answer is printed as it arrives. */
  get isStreamed(): boolean {
    return this.#options.isStreamed
  }

  /** To be called before a run, which is followed by `endLine`. */
  start(): void {
    this.#waitingForModel.start()
  }

  show(event: AgentEvent): void {
    if (this.#questions > 0) this.#waiting.push(event)
    else this.#print(event)
  }

  pause(): () => void {
    this.endLine()
    this.#questions += 1
    return () => {
      this.#questions -= 1
      if (this.#questions === 0) for (const event of this.#waiting.splice(0)) this.#print(event)
    }
  }

  endLine(): void {
    this.#waitingForModel.stop()
    this.#write(this.#answer.end())
    if (this.#isInLine) this.#write('\n')
  }

  #print(event: AgentEvent): void {
    // An interruption fails the calls that run.
    if (this.#terminal.signal.aborted) return
    if (event.type === 'text' && this.isStreamed) this.#showText(event.text)
    if (event.type === 'step.finished') this.#awaitNextStep()
    if (event.type === 'tool.called') this.#showCall(event)
    if (event.type === 'tool.finished') this.#showFailure(event)
  }

  #showText(text: string): void {
    this.#waitingForModel.stop()
    this.#write(this.#answer.push(text))
  }

  /** If there is none, the run ends before the notice is shown. */
  #awaitNextStep(): void {
    this.endLine()
    this.#waitingForModel.start()
  }

  #write(text: string): void {
    if (text === '') return
    this.#terminal.stdout.write(text)
    this.#isInLine = !text.endsWith('\n')
  }

  #showCall({ tool, input }: EventOf<'tool.called'>): void {
    if (this.#options.showsCalls)
      this.#showLine(this.#options.colors.dim(`→ ${shortened(`${tool} ${JSON.stringify(input)}`)}`))
  }

  #showFailure({ tool, result, error }: EventOf<'tool.finished'>): void {
    const reported = result?.isError === true ? toText(result) : undefined
    // Code reports the calls that it could not make.
    const isShown = this.#options.showsCalls || (tool === 'run_code' && isMissingApproval(reported ?? ''))
    const failure = error ?? (isShown ? reported : undefined)
    if (failure !== undefined)
      this.#showLine(this.#options.colors.red(`✗ ${shortened(describeFailure(tool, failure))}`))
  }

  #showLine(line: string): void {
    this.endLine()
    printError(this.#terminal, line)
  }
}

function describeFailure(tool: string, failure: string): string {
  const described = isMissingApproval(failure) ? missingApproval(failure) : failure
  return described.includes(tool) ? described : `${tool}: ${described}`
}

const maxLine = 300

function shortened(text: string): string {
  return printableLine(text, { maxLength: maxLine })
}
