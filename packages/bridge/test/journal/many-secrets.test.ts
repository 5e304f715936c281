import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { secretForms } from '../../src/journal/redaction/secret-forms.ts'
import { Secrets } from '../../src/journal/redaction/secrets.ts'
import { countCalls } from '../count-calls.ts'

// A second pass for each secret, or for each character, would take minutes.
test('a thousand secrets in a long text, or a text made to be slow, take no long time', () => {
  const prefix = 'sk-proj-'
  const many = Array.from({ length: 1_000 }, () => prefix + randomBytes(24).toString('base64url'))
  const secrets = new Secrets()
  secrets.keep([...many, 'a'.repeat(4_000), `${'ab'.repeat(2_000)}c`])
  const harmless = prefix.repeat(50_000)
  expect(secrets.mask(harmless)).toBe(harmless)
  for (const text of ['a'.repeat(400_000), 'ab'.repeat(200_000)])
    expect(secrets.mask(text)).toBe('[redacted]')
  expect(secrets.mask(many.join(' '))).toBe(many.map(() => '[redacted]').join(' '))
})

test('secrets that come one after the other do not make each one dearer', () => {
  const secrets = new Secrets()
  const keep = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      secrets.keep([randomBytes(18).toString('base64')])
      secrets.mask('a line of the journal')
    }
  }
  const [first, others] = countCalls(
    () => keep(50),
    () => keep(150),
  )
  expect(others).toBeLessThan(first * 3 * 3)
})

test('when there are too many, those that were kept last are still found', () => {
  const secrets = new Secrets()
  const values = Array.from({ length: 3_000 }, (_, index) => `secret-number-${index}-`)
  secrets.keep(values)
  expect(secrets.mask(`it is ${values.at(-1)}!`)).toBe('it is [redacted]!')
})

test('the secrets are the newest thousand once there are more than two thousand', () => {
  const secrets = new Secrets()
  const values = Array.from({ length: 2_000 }, (_unused, index) => `value-${index}-of-many`)
  secrets.keep(values)
  expect(secrets.mask('value-0-of-many')).toBe('[redacted]')
  secrets.keep(['value-0-of-many'])
  secrets.keep(['value-2000-of-many'])
  expect(secrets.mask('value-1-of-many')).toBe('value-1-of-many')
  expect(secrets.mask('value-1001-of-many')).toBe('value-1001-of-many')
  for (const index of [0, 1_002, 1_999, 2_000])
    expect(secrets.mask(`value-${index}-of-many`)).toBe('[redacted]')
})

test('a server that changes its tokens all the time does not make others known', () => {
  const secrets = new Secrets()
  secrets.keep(['password-of-another'])
  const tokens = Array.from({ length: 3_000 }, (_unused, index) => `token-${index}-of-many`)
  for (const token of tokens) secrets.keepTemporary([token])
  expect(secrets.mask(`password-of-another ${tokens.at(-1)}`)).toBe('[redacted] [redacted]')
  expect(secrets.mask('token-0-of-many')).toBe('token-0-of-many')
  secrets.keep(Array.from({ length: 1_500 }, (_unused, index) => `value-${index}-of-many`))
  expect(secrets.mask(`value-1499-of-many ${tokens.at(-1)}`)).toBe('[redacted] [redacted]')
})

test('whatever is kept is found wherever it is, and nothing else is changed', () => {
  const value = fc.string({ minLength: 6, maxLength: 60, unit: fc.constantFrom('a', 'b', 'c', '-') })
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), fc.array(value), (kept, said) => {
      const secrets = new Secrets()
      for (const one of kept) {
        secrets.keep([one])
        secrets.mask('something in between')
      }
      const text = said.join(' / ')
      const masked = secrets.mask(text)
      const isThere = kept.some((one) => secretForms(one).some((form) => text.includes(form)))
      const isPartlyThere = kept.some((one) => one.length > 24 && text.includes(one.slice(0, 24)))
      expect(masked !== text).toBe(isThere || isPartlyThere)
      for (const one of kept) expect(masked).not.toContain(one)
    }),
  )
})
