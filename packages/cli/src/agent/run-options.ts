import type { AgentOptions } from '@toolbridge/agent'
import { type Invocation, type Options, textOption } from '../command.ts'
import { UsageError } from '../usage-error.ts'

/** Reads `--max-turns`, `--max-tokens` and `--system`. Throws if a number is invalid. */
export function runOptionsFrom({
  options,
}: Invocation): Pick<AgentOptions, 'maxSteps' | 'maxTokens' | 'system'> {
  const maxSteps = countOption(options, 'max-turns')
  const maxTokens = countOption(options, 'max-tokens')
  const system = textOption(options, 'system')
  return {
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(system === undefined ? {} : { system }),
  }
}

function countOption(options: Options, name: string): number | undefined {
  const text = textOption(options, name)
  if (text === undefined || /^[1-9]\d{0,14}$/.test(text)) return text === undefined ? undefined : Number(text)
  throw new UsageError(`invalid --${name} "${text}": expected a whole number of at least 1`)
}
