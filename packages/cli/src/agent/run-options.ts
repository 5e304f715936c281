import type { AgentOptions } from '@toolbridge/agent'
import { type Invocation, type Options, textOption } from '../command.ts'
import { isWhole, numberOption } from '../number-option.ts'

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
  return numberOption(options, name, 'a whole number of at least 1', isWhole(1))
}
