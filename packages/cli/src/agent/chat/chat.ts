import { type AgentEnd, type Model, type ModelMessage, runAgent } from '@toolbridge/agent'
import type { Bridge } from '@toolbridge/bridge'
import type { Invocation } from '../../command.ts'
import { didYouMean } from '../../did-you-mean.ts'
import { ExitCode } from '../../exit-code.ts'
import { reportError } from '../../report-error.ts'
import { isInteractive, printError, printText, type Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import type { AgentSession } from '../agent-session.ts'
import type { EventPrinter } from '../event-printer.ts'
import { reasonUnfinished } from '../unfinished-answers.ts'
import type { ChatApprovals } from './chat-approvals.ts'
import type { ChatServers } from './chat-servers.ts'
import { Conversation } from './conversation.ts'
import { interruptible } from './interruptible.ts'
import type { MessageReader } from './message-reader.ts'
import { slashCommands } from './slash-commands.ts'
import { TurnRecord } from './turn-record.ts'

/** What a chat consists of. */
export interface ChatParts {
  readonly invocation: Invocation
  readonly session: AgentSession
  readonly reader: MessageReader
  readonly printer: EventPrinter
  readonly servers: ChatServers
  readonly approvals: ChatApprovals
}

/** A conversation with a model that can use the tools of the configured servers. */
export class Chat implements AsyncDisposable {
  readonly invocation: Invocation
  readonly servers: ChatServers
  readonly approvals: ChatApprovals
  readonly conversation: Conversation = new Conversation()
  /** The model that answers next. */
  model: Model
  readonly #session: AgentSession
  readonly #reader: MessageReader
  readonly #printer: EventPrinter
  #hasEnded = false

  constructor({ invocation, session, reader, printer, servers, approvals }: ChatParts) {
    this.invocation = invocation
    this.servers = servers
    this.approvals = approvals
    this.model = session.model
    this.#session = session
    this.#reader = reader
    this.#printer = printer
  }

  /** The model of the command line. */
  get firstModel(): Model {
    return this.#session.model
  }

  get bridge(): Bridge {
    return this.#session.bridge
  }

  /** Names of the tools that the model may use. Undefined: all. */
  get tools(): readonly string[] | undefined {
    return this.#session.runOptions.only
  }

  /**
   * Answers messages until the input or the chat ends. Returns the status of the first message that was not answered; at an interactive
   * terminal, where people have seen it, success.
   */
  async run(first: readonly ModelMessage[]): Promise<ExitCode> {
    const { terminal } = this.invocation
    const begun = first.length === 0 ? ExitCode.Ok : await this.#attempt((step) => this.answer(first, step))
    const codes = [begun]
    while (!this.#hasEnded) {
      const message = await this.#reader.read()
      terminal.signal.throwIfAborted()
      if (message === undefined) break
      codes.push(await this.#attempt((step) => this.#handle(message, step)))
    }
    return isInteractive(terminal) ? ExitCode.Ok : (codes.find((code) => code !== ExitCode.Ok) ?? ExitCode.Ok)
  }

  /** Stops the servers. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]()
  }

  /** Ends the chat after the current command. */
  end(): void {
    this.#hasEnded = true
  }

  /** Lets the model answer. Whatever happens, the conversation can go on. */
  async answer(asked: readonly ModelMessage[], { signal }: Terminal): Promise<ExitCode> {
    const record = new TurnRecord()
    this.#printer.start()
    try {
      const { messages, end, text } = await runAgent({
        ...this.#runOptions(),
        messages: this.conversation.with(asked),
        signal,
        onEvent: (event) => {
          record.add(event)
          // Calls that run fail when they are cancelled.
          if (!signal.aborted) this.#printer.show(event)
        },
      })
      this.conversation.keep(asked, messages, 'The answer ended here, at a limit.')
      this.#printer.endLine()
      return this.#report(end, text)
    } catch (error) {
      const reason = signal.aborted ? 'the user cancelled it' : 'of an error'
      this.conversation.keep(asked, record.messages(), `The answer ended here because ${reason}.`)
      throw error
    } finally {
      this.#printer.endLine()
    }
  }

  #runOptions(): AgentSession['runOptions'] & { readonly model: Model } {
    const { only, bridge: _bridge, ...options } = this.#session.runOptions
    const existing = only?.filter((name) => this.bridge.tool(name) !== undefined)
    return {
      ...options,
      ...(existing === undefined ? {} : { only: existing }),
      // A reload may add the first server, or remove the last one.
      ...(this.bridge.status().length === 0 ? {} : { bridge: this.bridge }),
      model: this.model,
    }
  }

  #report(end: AgentEnd, text: string): ExitCode {
    const { options, terminal } = this.invocation
    if (!this.#printer.isStreamed && text !== '') printText(terminal, text)
    const reason = reasonUnfinished(end, options)
    if (reason === undefined) return ExitCode.Ok
    printError(terminal, `toolbridge: ${reason}`)
    return ExitCode.Unfinished
  }

  /** Prints an error, or that the step was cancelled. Only the end of the command ends the chat. */
  async #attempt(work: (step: Terminal) => Promise<ExitCode>): Promise<ExitCode> {
    const { terminal } = this.invocation
    try {
      return await interruptible(terminal, work)
    } catch (error) {
      terminal.signal.throwIfAborted()
      return reportError(error, terminal)
    }
  }

  async #handle(message: string, step: Terminal): Promise<ExitCode> {
    const [, name, rest = ''] = /^\/([a-z]+)(?:\s([^]*))?$/.exec(message) ?? []
    const isOneLine = !/[\n\r\u2028\u2029]/.test(rest.trimStart())
    if (name === undefined || !isOneLine)
      return this.answer(this.conversation.asked({ role: 'user', content: message }), step)
    const command = Object.hasOwn(slashCommands, name) ? slashCommands[name] : undefined
    if (command === undefined) throw unknownCommand(name)
    return (await command.run(this, rest.trim(), step)) ?? ExitCode.Ok
  }
}

function unknownCommand(name: string): UsageError {
  const names = Object.keys(slashCommands)
  const hint = didYouMean(name, names).replace('"', '"/')
  return new UsageError(
    `unknown command "/${name}".${hint} /help lists the commands. To send it as a message, begin with a space`,
  )
}
