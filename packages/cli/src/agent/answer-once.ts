import { type AgentOptions, runAgent } from '@toolbridge/agent'
import type { Invocation } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { printError } from '../terminal.ts'
import { openAgentSession } from './agent-session.ts'
import { openingMessages } from './attached-messages.ts'
import { readQuestion } from './question.ts'
import { RunPrinter } from './run-printer.ts'
import { reasonUnfinished } from './unfinished-answers.ts'

export interface AnswerOptions {
  /** Said if the command line asks nothing. */
  readonly missing: string
  /** Instructions that precede those of `--system`. */
  readonly system?: string
  /** Whether calls are printed on stderr. */
  readonly showsCalls: boolean
}

/** Lets the model of the command line answer its words. */
export async function answerOnce(invocation: Invocation, answer: AnswerOptions): Promise<ExitCode> {
  const { options, terminal } = invocation
  const printer = new RunPrinter(invocation, answer.showsCalls)
  const question = await readQuestion(invocation, answer.missing)
  await using session = await openAgentSession(invocation, printer)
  try {
    const messages = await openingMessages(session.bridge, invocation, question)
    printer.start()
    const result = await runAgent({
      ...session.runOptions,
      ...instructions(answer.system, session.runOptions.system),
      model: session.model,
      messages,
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

function instructions(...texts: readonly (string | undefined)[]): Pick<AgentOptions, 'system'> {
  const given = texts.filter((text) => text !== undefined)
  return given.length === 0 ? {} : { system: given.join('\n\n') }
}
