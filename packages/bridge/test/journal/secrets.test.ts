import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { secretForms } from '../../src/journal/redaction/secret-forms.ts'
import { Secrets } from '../../src/journal/redaction/secrets.ts'

const secret = 'sk-live/Ü4711+& "more"?'

function secretsOf(...values: readonly string[]): Secrets {
  const secrets = new Secrets()
  secrets.keep(values)
  return secrets
}

test.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify({ said: secret })],
  ['in JSON inside JSON', JSON.stringify({ said: JSON.stringify({ said: secret }) })],
  ['in JSON without other characters than ASCII', JSON.stringify(secret).replace('Ü', '\\u00dc')],
  ['as a part of an address', `https://a.example/?key=${encodeURIComponent(secret)}`],
  ['in a form', new URLSearchParams({ key: secret }).toString()],
  [
    'in an address with small letters',
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  ],
  ['in the name of a tool', `server__${secret.replaceAll(/\W/g, '_')}`],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['in Base64', Buffer.from(secret).toString('base64')],
  ['in Base64 for addresses', Buffer.from(secret).toString('base64url')],
  ['in Base64 behind something else', Buffer.from(`ada:${secret}`).toString('base64')],
  ['in Base64 between other things', Buffer.from(`me@example:${secret}@host`).toString('base64url')],
])('a secret is found %s', (_how, text) => {
  const masked = secretsOf(secret).mask(text)
  expect(masked).toContain('[redacted]')
  for (const form of secretForms(secret)) expect(masked).not.toContain(form)
  expect(masked).not.toContain('4711')
})

test.each([
  ['a query of Python', 'p%40ss%2A%284711%29%21%20%26%3C%22%27~'],
  ['a query of Go', 'p%40ss%2A%284711%29%21+%26%3C%22%27~'],
  ['HTML of Python', 'p@ss*(4711)! &amp;&lt;&quot;&#x27;~'],
  ['HTML of Go', 'p@ss*(4711)! &amp;&lt;&#34;&#39;~'],
  ['the text of XML', `p@ss*(4711)! &amp;&lt;"'~`],
])('a secret is found in %s', (_where, text) => {
  expect(secretsOf(`p@ss*(4711)! &<"'~`).mask(`x ${text} y`)).toBe('x [redacted] y')
})

test('a secret that contains another one is taken out whole, and so are secrets that overlap', () => {
  const secrets = secretsOf('abcdef')
  expect(secrets.mask('x abcdefghijkl y')).toBe('x [redacted]ghijkl y')
  secrets.keep(['abcdefghijkl', 'ijklmnop'])
  expect(secrets.mask('x abcdefghijkl y')).toBe('x [redacted] y')
  expect(secrets.mask('x abcdefghijklmnop y abcdef')).toBe('x [redacted] y [redacted]')
})

test('a long secret that was cut off is still taken out', () => {
  const key = randomBytes(600).toString('base64')
  expect(secretsOf(key).mask(`the key ${key.slice(0, 100)}…`)).toBe('the key [redacted]…')
})

test('values that are short, or that everybody has, stay', () => {
  expect(secretsOf('пароль!').mask('a______b пароль!')).toBe('a______b [redacted]')
  expect(secretsOf('abc', 'production', 'Localhost').mask('abc production Localhost')).toBe(
    'abc production Localhost',
  )
})
