import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
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
  const keep = (count: number): number =>
    countCalls(() => {
      for (let index = 0; index < count; index += 1) {
        secrets.keep([randomBytes(18).toString('base64')])
        secrets.mask('a line of the journal')
      }
    })
  const first = keep(50)
  expect(keep(150)).toBeLessThan(first * 3 * 3)
})

test('when there are too many, those that were kept last are still found', () => {
  const secrets = new Secrets()
  const values = Array.from({ length: 3_000 }, (_, index) => `secret-number-${index}-`)
  secrets.keep(values)
  expect(secrets.mask(`it is ${values.at(-1)}!`)).toBe('it is [redacted]!')
})
