import { text as readAll } from 'node:stream/consumers'
import {
  type AgentEvent,
  type AgentOptions,
  type AgentResult,
  type ModelMessage,
  runAgent,
} from '@toolbridge/agent'
import { type AgentSession, openAgentSession } from '../agent/agent-session.ts'
import { attachedPrompt, attachedResource } from '../agent/attached-messages.ts'
import { EventPrinter } from '../agent/event-printer.ts'
import { toolResultShapes } from '../agent/tool-result-shape.ts'
import { colorsFor } from '../colors.ts'
import { type Invocation, textOption, textOptions, wantsJson } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { printable } from '../printable.ts'
import { isStderrTty, print, printError, printJson, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function ask(invocation: Invocation): Promise<ExitCode> {
  return answerWith(invocation, { showsCalls: isStderrTty(invocation.terminal) })
}

export interface AnswerOptions {
  /** Instructions that precede those of `--system`. */
  readonly system?: string
  /** Whether calls are printed on stderr. */
  readonly showsCalls: boolean
}

/** Lets the model of the command line answer its words. */
export async function answerWith(
  invocation: Invocation,
  { system, showsCalls }: AnswerOptions,
): Promise<ExitCode> {
  const { options, terminal } = invocation
  const words = await questionOf(invocation)
  const printer = printerFor(invocation, showsCalls)
  const events: AgentEvent[] = []
  await using session = await openAgentSession(invocation, () => printer.endLine())
  const messages = await conversationOf(invocation, words, session)
  const { runOptions, model } = session
  const result = await runAgent({
    ...runOptions,
    ...instructions(system, runOptions.system),
    model,
    messages,
    signal: terminal.signal,
    onEvent: (event) => {
      events.push(event)
      if (wantsJson(options) && options['stream'] === true) printJson(terminal, event, false)
      else printer.show(event)
    },
  })
  printer.endLine()
  present(invocation, result, events)
  return exitCodeOf(result, terminal)
}

/** The words of the command line; `-` stands for the standard input. */
async function questionOf({ positionals, options, terminal }: Invocation): Promise<readonly string[]> {
  if (positionals.length === 0 && options['prompt'] === undefined)
    throw new UsageError('missing question. Example: toolbridge ask "What can you do?"')
  if (positionals.filter((word) => word === '-').length > 1)
    throw new UsageError('the standard input can be read only once')
  return Promise.all(positionals.map((word) => (word === '-' ? readAll(terminal.stdin) : word)))
}

/** Resources first, then the prompt, then the question. With a prompt, `name=value` words are its arguments. */
async function conversationOf(
  { options, terminal }: Invocation,
  words: readonly string[],
  { bridge }: AgentSession,
): Promise<readonly ModelMessage[]> {
  const uris = textOptions(options, 'resource')
  const resources = await Promise.all(uris.map((uri) => attachedResource(bridge, uri, terminal)))
  const name = textOption(options, 'prompt')
  const isArgument = (word: string): boolean => name !== undefined && /^[\w-]+=/.test(word)
  const question = words.filter((word) => !isArgument(word)).join(' ')
  return [
    ...resources.flat(),
    ...(name === undefined ? [] : await attachedPrompt(bridge, name, words.filter(isArgument), terminal)),
    ...(question === '' ? [] : [{ role: 'user' as const, content: question }]),
  ]
}

function instructions(...texts: readonly (string | undefined)[]): Pick<AgentOptions, 'system'> {
  const given = texts.filter((text) => text !== undefined)
  return given.length === 0 ? {} : { system: given.join('\n\n') }
}

function printerFor({ options, terminal }: Invocation, showsCalls: boolean): EventPrinter {
  const isStreamed = !wantsJson(options) && isStreamedTo(options['stream'], terminal)
  return new EventPrinter(terminal, { colors: colorsFor(terminal, terminal.stderr), isStreamed, showsCalls })
}

function isStreamedTo(flag: unknown, { stdout }: Terminal): boolean {
  return flag === true || stdout.isTTY === true
}

function present(
  { options, terminal }: Invocation,
  result: AgentResult,
  events: readonly AgentEvent[],
): void {
  const { text, end, steps, usage, id } = result
  const toolResults = options['tool-results'] === true ? { toolResults: toolResultShapes(events) } : {}
  if (wantsJson(options))
    printJson(terminal, { text, end, steps, usage, run: id, ...toolResults }, options['pretty'] === true)
  else {
    for (const each of toolResults.toolResults ?? []) printJson(terminal, each, false)
    if (!isStreamedTo(options['stream'], terminal) && text !== '') print(terminal, printable(text))
  }
}

const endings = {
  max_steps: 'the model was stopped at the limit of --max-turns',
  budget: 'the model was stopped at the limit of --max-tokens',
  length: 'the answer is incomplete: it reached the limit of tokens',
  content_filter: 'the provider withheld the answer',
  other: 'the model stopped without an answer',
} as const

function exitCodeOf({ end }: AgentResult, terminal: Terminal): ExitCode {
  if (end === 'answered') return ExitCode.Ok
  printError(terminal, `toolbridge: ${endings[end]}`)
  return ExitCode.Unfinished
}
