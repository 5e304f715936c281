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

/** Words before "key" and "tokens" that make them secrets; a key of an issue or a map is none. */
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
  const named = typed.find(({ name, title, description = '' }) =>
    [name, title, withoutWarning(description)].some(namesSecret),
  )
  if (named !== undefined) return named
  const [only, another] = typed
  return another === undefined && only !== undefined && namesSecret(message) ? only : undefined
}

/** A request not to give something. */
const warning = /\bdo not (?:give|tell|send) us\b[^.;:!?()]*/gi
/** Words after which it may ask for it after all. */
const exception = /\b(?:but|except|other than|until|unless)\b/gi

/** The text without a request not to give a secret, which the official sample server makes. */
function withoutWarning(description: string): string {
  return description
    .split(/[\n\r\u2028\u2029]/)
    .map(withoutWarningInLine)
    .join('\n')
}

function withoutWarningInLine(line: string): string {
  const end = Array.from(line.matchAll(exception)).at(-1)?.index ?? 0
  return line.slice(0, end) + line.slice(end).replaceAll(warning, '')
}

function namesSecret(text: string): boolean {
  const words = wordsOf(text)
  return words.some((word, index) => {
    // A number of tokens is none.
    if (/^(?:keys?|tokens)$/.test(word)) return wordsBeforeKey.has(words[index - 1] ?? '')
    return secretWords.has(word) || secretWords.has(word.replace(/s$/, ''))
  })
}

/** Splits text and names such as `apiKey`, `API_KEY` and `api-key` into words, without characters that nobody sees. */
function wordsOf(text: string): readonly string[] {
  const seen = text
    .slice(0, 2_000)
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  const apart = seen.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
  return apart
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
}
