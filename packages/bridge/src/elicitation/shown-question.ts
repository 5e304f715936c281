import { printable } from '@toolbridge/client/internal'
import { mapTexts } from '../text/map-texts.ts'
import type { Question } from './question.ts'

/**
 * Returns the question with texts that are safe to show: without control characters and characters that reorder or hide
 * text. Defaults with such characters are left out. Choices and URLs stay as they are.
 */
export function shownQuestion<Q extends Question>(question: Q): Q {
  return mapTexts(question, (text) => printable(text, { keepLines: true })) as Q
}
