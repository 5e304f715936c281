import type { Answer, Answerer, Question } from '../question.ts'

/** Answers a question by a program, or leaves it: then it is declined. */
export type AnswerFunction = (
  question: Question,
  options: { readonly signal: AbortSignal },
) => Answer | undefined | Promise<Answer | undefined>

/** An answerer that is a function. */
export function functionAnswerer(answer: AnswerFunction, options: Pick<Answerer, 'kinds'> = {}): Answerer {
  return {
    ...options,
    ask: async (question, asked) => (await answer(question, asked)) ?? { action: 'decline' },
  }
}
