import type { AgentEnd } from '@toolbridge/agent'
import type { Options } from '../command.ts'

/** Why an answer is not finished, with the option that changes that. */
export const unfinishedAnswers: Readonly<Record<Exclude<AgentEnd, 'answered'>, string>> = {
  max_steps: 'the model has not finished within the limit of --max-turns',
  budget: 'the model has not finished within the limit of --max-tokens',
  length: 'the answer is not finished: the model reached its own limit of tokens',
  content_filter: 'the provider withheld the answer',
  other: 'the model stopped before its answer was finished',
}

/** Why the answer to a command line is not finished; undefined if it is. */
export function reasonUnfinished(end: AgentEnd, options: Options): string | undefined {
  if (end === 'answered') return undefined
  // What is left of the tokens limits an answer too.
  const isOverBudget = end === 'length' && options['max-tokens'] !== undefined
  return unfinishedAnswers[isOverBudget ? 'budget' : end]
}
