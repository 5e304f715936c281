/** Key of the unsent answers in the storage of the tab. */
export const answersKey = 'toolbridge.answers'

/** Key of what was typed as the answer to a question. */
export function answerKey(questionId: string): string {
  return `answer to ${questionId}`
}
