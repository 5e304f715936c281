import { answerOnce } from '../agent/answer-once.ts'
import { type Invocation, textOption } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'
import type { ExitCode } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

/** Instructions by name of the agent. */
const agents: Readonly<Record<string, string>> = {
  react: `You complete a task with tools. Work in steps: say briefly what you need next and why, call one tool or several \
independent ones, look at the results, and decide again. If a call fails, read the error and try another way; do not repeat \
the same call with the same arguments. When a call is denied, do not try to get around it. When the task is done, or cannot \
be done, answer with what you did and found.`,
}

export async function runTask(invocation: Invocation): Promise<ExitCode> {
  const name = textOption(invocation.options, 'name') ?? 'react'
  const system = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (system === undefined) {
    const known = Object.keys(agents)
    throw new UsageError(`unknown agent "${name}".${didYouMean(name, known)} Agents: ${known.join(', ')}`)
  }
  return answerOnce(invocation, {
    missing: 'missing task. Example: toolbridge agent "Rename my notes by their titles."',
    system,
    showsCalls: true,
  })
}
