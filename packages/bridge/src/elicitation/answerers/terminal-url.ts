import { isCancel, note, select } from '@clack/prompts'
import { printable } from '@toolbridge/client/internal'
import type { Answer, ConsentQuestion, UrlQuestion } from '../question.ts'
import type { Screen } from './terminal-field.ts'

/** Opens a URL in the browser of the person, without a shell. Resolves with false if that fails. */
export type OpenUrl = (url: URL) => Promise<boolean>

/**
 * Shows a URL in full and asks whether to open it. Opens it after consent, or leaves that to the person if it cannot be
 * opened.
 */
export async function askUrl(
  question: UrlQuestion | ConsentQuestion,
  asker: string,
  openUrl: OpenUrl | undefined,
  screen: Screen,
): Promise<Answer> {
  note(textOf(question), titleOf(question, asker), screen)
  const decision = await select<'open' | 'decline'>({
    message: `Go to ${printable(question.host)}?`,
    options: [
      { value: 'decline', label: 'Do not go there' },
      { value: 'open', label: openUrl === undefined ? 'I go there myself' : 'Open it in the browser' },
    ],
    initialValue: 'decline',
    ...screen,
  })
  if (isCancel(decision)) return { action: 'cancel' }
  if (decision === 'decline') return { action: 'decline' }
  const isOpened = await openUrl?.(new URL(question.url))
  if (isOpened === false) note(printable(question.url), 'Open this address in a browser', screen)
  return { action: 'accept' }
}

function titleOf(question: UrlQuestion | ConsentQuestion, asker: string): string {
  return question.kind === 'url' ? `${asker} asks you to open a page` : `Sign in to ${asker}`
}

/** The full URL, its host, and the warnings. */
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
