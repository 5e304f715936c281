import { type AgentOptions, type ModelMessage, runAgent } from '@toolbridge/agent'
import { type AgentSession, openAgentSession } from '../agent/agent-session.ts'
import { attachedPrompt, attachedResource } from '../agent/attached-messages.ts'
import { type Question, readQuestion } from '../agent/question.ts'
import { RunPrinter } from '../agent/run-printer.ts'
import { reasonUnfinished } from '../agent/unfinished-answers.ts'
import { type Invocation, textOption, textOptions } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { isStderrTty, printError } from '../terminal.ts'

export async function ask(invocation: Invocation): Promise<ExitCode> {
  return answerWith(invocation, {
    missing: 'missing question. Example: toolbridge ask "What can you do?"',
    showsCalls: isStderrTty(invocation.terminal),
  })
}

export interface AnswerOptions {
  /** Said if the command line asks nothing. */
  readonly missing: string
  /** Instructions that precede those of `--system`. */
  readonly system?: string
  /** Whether calls are printed on stderr. */
  readonly showsCalls: boolean
}

/** Lets the model of the command line answer its words. */
export async function answerWith(invocation: Invocation, answer: AnswerOptions): Promise<ExitCode> {
  const { options, terminal } = invocation
  const printer = new RunPrinter(invocation, answer.showsCalls)
  const question = await readQuestion(invocation, answer.missing)
  await using session = await openAgentSession(invocation, printer)
  try {
    const result = await runAgent({
      ...session.runOptions,
      ...instructions(answer.system, session.runOptions.system),
      model: session.model,
      messages: await conversationOf(invocation, question, session),
      signal: terminal.signal,
      onEvent: (event) => printer.show(event, session),
    })
    printer.finish(result)
    const reason = reasonUnfinished(result.end, options)
    if (reason === undefined) return ExitCode.Ok
    printError(terminal, `toolbridge: ${reason}`)
    return ExitCode.Unfinished
  } finally {
    printer.endLine()
  }
}

/** Resources first, then the prompt, then the question. */
async function conversationOf(
  { options, terminal }: Invocation,
  { text, promptArguments }: Question,
  { bridge }: AgentSession,
): Promise<readonly ModelMessage[]> {
  const uris = textOptions(options, 'resource')
  const resources = await Promise.all(uris.map((uri) => attachedResource(bridge, uri, terminal)))
  const prompt = textOption(options, 'prompt')
  return [
    ...resources.flat(),
    ...(prompt === undefined ? [] : await attachedPrompt(bridge, prompt, promptArguments, terminal)),
    ...(text === '' ? [] : [{ role: 'user' as const, content: text }]),
  ]
}

function instructions(...texts: readonly (string | undefined)[]): Pick<AgentOptions, 'system'> {
  const given = texts.filter((text) => text !== undefined)
  return given.length === 0 ? {} : { system: given.join('\n\n') }
}
