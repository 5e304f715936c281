import type { InboxItem } from '@toolbridge/api'
import { useInbox } from '@toolbridge/react'
import { useEffect, useMemo } from 'react'
import { signedInPerson } from '../sign-in/signed-in-person.ts'
import { isJsonObject } from '../ui/json.ts'
import { keepTyped, keptState, typedUnder, useKeptState } from '../state/kept-state.ts'
import { keepInTab, keptInTab } from '../state/tab-storage.ts'
import { answerKey, answersKey } from './answer-keys.ts'
import { storableAnswer } from './storable-answer.ts'

/** Questions that the person has typed an answer to and not sent, by id. */
const begun = keptState<ReadonlyMap<string, InboxItem>>(new Map())

/** A question that is open, or was withdrawn after the person typed an answer to it. */
export interface ShownQuestion {
  readonly question: InboxItem
  readonly isOpen: boolean
}

/** Returns the open questions, oldest first, among them those that were withdrawn with an answer. Undefined before the first load. */
export function useQuestions(): readonly ShownQuestion[] | undefined {
  const { data: open } = useInbox()
  const [answers] = useKeptState(begun)
  useEffect(restoreAnswers, [])
  return useMemo(() => open && shownQuestions(open, [...answers.values()]), [open, answers])
}

function shownQuestions(open: readonly InboxItem[], answers: readonly InboxItem[]): readonly ShownQuestion[] {
  const ids = new Set(open.map(({ id }) => id))
  return [
    ...open.map((question) => ({ question, isOpen: true })),
    ...answers.filter(({ id }) => !ids.has(id)).map((question) => ({ question, isOpen: false })),
  ].toSorted((one, other) => Date.parse(one.question.askedAt) - Date.parse(other.question.askedAt))
}

/** Remembers a question whose answer was changed, and keeps the answer over a reload of the page. */
export function keepAnswer(question: InboxItem): void {
  begun.set(new Map(begun.get()).set(question.id, question))
  storeAnswers()
}

/** Forgets an answer that was sent or is not wanted any more. */
export function forgetAnswer(id: string): void {
  const answers = new Map(begun.get())
  answers.delete(id)
  begun.set(answers)
  keepTyped(answerKey(id), undefined)
  storeAnswers()
}

interface StoredAnswer {
  readonly question: InboxItem
  readonly typed: unknown
}

function storeAnswers(): void {
  const stored = [...begun.get().values()].flatMap((question): readonly StoredAnswer[] => {
    const typed = storableAnswer(question, typedUnder(answerKey(question.id)))
    return typed === undefined ? [] : [{ question, typed }]
  })
  keepInTab(sessionStorage, answersKey, signedInPerson(), stored)
}

function restoreAnswers(): void {
  if (begun.get().size > 0) return
  const stored = keptInTab(sessionStorage, answersKey, signedInPerson())
  const answers = Array.isArray(stored) ? stored.filter(isStoredAnswer) : []
  for (const { question, typed } of answers) keepTyped(answerKey(question.id), typed)
  begun.set(new Map(answers.map(({ question }) => [question.id, question])))
}

/** Only this page writes the value; one of another version of it may have another shape. */
function isStoredAnswer(stored: unknown): stored is StoredAnswer {
  return isJsonObject(stored) && isJsonObject(stored['question']) && 'typed' in stored
}
