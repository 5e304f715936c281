import { isCancel, password, select, text } from '@clack/prompts'
import { printable } from '@toolbridge/client/internal'
import type { Answer, InputQuestion } from '../question.ts'
import type { Screen } from './terminal-field.ts'

/** Asks for an input of a definition. Secrets are not echoed. */
export async function askInput(
  { input, message }: InputQuestion,
  asker: string,
  screen: Screen,
): Promise<Answer> {
  const label = `${asker} needs ${printable(input.description ?? message, { maxLength: 500 })}`
  const value = await askValue(input, label, screen)
  if (isCancel(value) || typeof value === 'symbol') return { action: 'cancel' }
  return { action: 'accept', content: { value: value ?? '' } }
}

function askValue(
  { isSecret, options = [], default: preset }: InputQuestion['input'],
  message: string,
  screen: Screen,
): Promise<string | symbol | undefined> {
  if (options.length > 0) {
    const choices = options.map((value) => ({ value, label: printable(value, { maxLength: 100 }) }))
    return select({
      message,
      options: choices,
      ...(preset === undefined ? {} : { initialValue: preset }),
      ...screen,
    })
  }
  const validate = (value?: string): string | undefined => (value ? undefined : 'must have a value')
  if (isSecret === true) return password({ message, validate, ...screen })
  return text({ message, ...(preset === undefined ? {} : { initialValue: printable(preset) }), ...screen })
}
