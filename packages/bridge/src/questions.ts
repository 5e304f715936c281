/** The kinds of questions, helpers for answerers, and the store of inputs. */

export { type AnswerFunction, functionAnswerer } from './elicitation/answerers/function.ts'
export { type AnswerIssue, checkAnswer, type CheckedAnswer } from './elicitation/check-answer.ts'
export { askConsent, type ConsentRequest } from './elicitation/consent.ts'
export {
  type CredentialKey,
  type CredentialStore,
  destinationChange,
  memoryCredentialStore,
} from './elicitation/credential-store.ts'
export { inputAnswers, type InputAnswersOptions } from './elicitation/input-answers.ts'
export type {
  ApprovalQuestion,
  ConsentQuestion,
  FormQuestion,
  InputQuestion,
  QuestionUrl,
  ShownArguments,
  UrlQuestion,
} from './elicitation/question.ts'
export { shownQuestion } from './elicitation/shown-question.ts'
