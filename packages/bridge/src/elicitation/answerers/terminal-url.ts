import { isCancel, note, select } from '@clack/prompts'
import { printable } from '@toolbridge/client/internal'
import type { Answer, ConsentQuestion, UrlQuestion } from '../question.ts'
import type { Screen } from './terminal-field.ts'

/** Shows an address for a person to go to. Never through a shell; false when it could not be shown. */
export type OpenAddress = (url: URL) => Promise<boolean>

/**
 * Asks whether a person wants to go to an address, which is shown in full before. What was agreed to is opened, or left
 * to the person to open where nothing can.
 */
export async function askAddress(
  question: UrlQuestion | ConsentQuestion,
  asker: string,
  openAddress: OpenAddress | undefined,
  screen: Screen,
): Promise<Answer> {
  note(textOf(question), titleOf(question, asker), screen)
  const decision = await select<'open' | 'decline'>({
    message: `Go to ${printable(question.host)}?`,
    options: [
      { value: 'decline', label: 'Do not go there' },
      { value: 'open', label: openAddress === undefined ? 'I go there myself' : 'Open it in the browser' },
    ],
    initialValue: 'decline',
    ...screen,
  })
  if (isCancel(decision)) return { action: 'cancel' }
  if (decision === 'decline') return { action: 'decline' }
  const isOpened = await openAddress?.(new URL(question.url))
  if (isOpened === false) note(printable(question.url), 'Open this address in a browser', screen)
  return { action: 'accept' }
}

function titleOf(question: UrlQuestion | ConsentQuestion, asker: string): string {
  return question.kind === 'url' ? `${asker} asks you to open a page` : `Sign in to ${asker}`
}

/** The whole address on lines of its own, the host apart, and what is odd about it. */
function textOf(question: UrlQuestion | ConsentQuestion): string {
  const scopes = question.kind === 'consent' ? question.scopes.map((scope) => `  ${printable(scope)}`) : []
  return [
    printable(question.message, { maxLength: 2_000, keepLines: true }),
    '',
    `Host:    ${printable(question.host)}`,
    `Address: ${printable(question.url)}`,
    ...(scopes.length === 0 ? [] : ['It is to be allowed:', ...scopes]),
    ...question.warnings.map((warning) => `Careful: ${printable(warning)}`),
  ].join('\n')
}
