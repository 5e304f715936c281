/** What channels need that bring questions to people, and the store of their inputs. */

export { type AnswerFunction, functionAnswerer } from './elicitation/answerers/function.ts'
export { type AnswerIssue, checkAnswer, type CheckedAnswer } from './elicitation/check-answer.ts'
export { askConsent, type ConsentRequest } from './elicitation/consent.ts'
export {
  type CredentialKey,
  type CredentialStore,
  memoryCredentialStore,
} from './elicitation/credential-store.ts'
export { inputAnswers, type InputAnswersOptions } from './elicitation/input-answers.ts'
export type { QuestionUrl, ShownArguments } from './elicitation/question.ts'
