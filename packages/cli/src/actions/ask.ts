import { answerOnce } from '../agent/answer-once.ts'
import type { Invocation } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { isStderrTty } from '../terminal.ts'

export async function ask(invocation: Invocation): Promise<ExitCode> {
  return answerOnce(invocation, {
    missing: 'missing question. Example: toolbridge ask "What can you do?"',
    showsCalls: isStderrTty(invocation.terminal),
  })
}
