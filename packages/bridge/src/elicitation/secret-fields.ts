import type { FormField } from './form.ts'

/** Words that always denote a secret. */
const secretWords: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'pin',
  'secret',
  'token',
  'credential',
  'credentials',
  'apikey',
  'privatekey',
  'cvv',
  'cvc',
  'otp',
])

/** Words before "key" that make it a secret; a key of an issue or a map is none. */
const wordsBeforeKey: ReadonlySet<string> = new Set([
  'api',
  'access',
  'auth',
  'encryption',
  'master',
  'private',
  'secret',
  'signing',
  'ssh',
])

/** Returns the field that asks for a secret, if any. Forms pass through programs and models, so secrets must not. */
export function secretField(fields: readonly FormField[], message: string): FormField | undefined {
  const typed = fields.filter(({ kind }) => kind === 'text' || kind === 'number' || kind === 'integer')
  const named = typed.find(({ name, title }) => namesSecret(name) || namesSecret(title))
  if (named !== undefined) return named
  const [only, another] = typed
  return another === undefined && only !== undefined && namesSecret(message) ? only : undefined
}

function namesSecret(text: string): boolean {
  const words = wordsOf(text)
  return words.some(
    (word, index) => secretWords.has(word) || (word === 'key' && wordsBeforeKey.has(words[index - 1] ?? '')),
  )
}

/** Splits text and names such as `apiKey`, `API_KEY` and `api-key` into words. */
function wordsOf(text: string): readonly string[] {
  const apart = text.slice(0, 2_000).replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
  return apart
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
}
