import { expect, test } from 'vitest'
import { FoldedMessages } from '../../src/journal/events/folded-messages.ts'
import { ManualClock } from '../servers/manual-clock.ts'

test('of 200,000 messages of a kind in a minute the first are reported, and the next minute tells how many were not', () => {
  const clock = new ManualClock()
  const messages = new FoldedMessages(clock, 2)
  const reported = Array.from({ length: 200_000 }, () => messages.next('a', 'again'))
  expect(reported.filter((message) => message !== undefined)).toEqual(['again', 'again'])
  expect(messages.next('b', 'other')).toBe('other')
  clock.advance(60_000)
  expect(messages.next('a', 'again')).toBe('again (and 199998 more times before)')
  expect(messages.next('a', 'again')).toBe('again')
  clock.advance(60_000)
  expect(messages.next('a', 'again')).toBe('again')
})
