import type { Answer, Answerer, Question } from '../question.ts'

/** Answers a question; undefined declines it. */
export type AnswerFunction = (
  question: Question,
  options: { readonly signal: AbortSignal },
) => Answer | undefined | Promise<Answer | undefined>

/** Creates an answerer from a function. */
export function functionAnswerer(answer: AnswerFunction, options: Pick<Answerer, 'kinds'> = {}): Answerer {
  return {
    ...options,
    ask: async (question, asked) => (await answer(question, asked)) ?? { action: 'decline' },
  }
}
