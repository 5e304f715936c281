import { expect, test } from 'vitest'
import type { FormField } from '../../src/elicitation/form.ts'
import { secretField } from '../../src/elicitation/secret-fields.ts'

const field = (title: string, description?: string): FormField =>
  ({ name: 'value', title, kind: 'text', isRequired: true, description }) as unknown as FormField
const other = field('City')

test.each([
  'pass\u200Bword',
  'pass\u00ADword',
  'ｐａｓｓｗｏｒｄ',
  'Passwords',
  'API keys',
  'access_tokens',
  'pins',
])('a field named %j asks for a secret', (title) => {
  expect(secretField([field(title), other], '')).toBeDefined()
})

test('a description is read as well', () => {
  expect(secretField([field('Value', 'Your GitHub password'), other], '')).toBeDefined()
})

test.each(['max_tokens', 'keys', 'issue keys', 'pinned'])('a field named %j does not', (title) => {
  expect(secretField([field(title), other], '')).toBeUndefined()
})

test('a description that says not to give a secret does not ask for one', () => {
  const official = 'Your favorite integer (do not give us your phone number, pin, or other sensitive info)'
  expect(secretField([field('Integer', official), other], '')).toBeUndefined()
  expect(secretField([field('Value', 'Do not give us your name. Your PIN'), other], '')).toBeDefined()
  expect(secretField([field('PIN', 'Do not give us your PIN'), other], '')).toBeDefined()
  const exceptions = [
    'anything but your password',
    'a name until you gave your PIN',
    'more, except the token',
  ]
  for (const exception of exceptions)
    expect(secretField([field('Value', `Do not give us ${exception}`), other], ''), exception).toBeDefined()
})
