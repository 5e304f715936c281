import { printable } from '@toolbridge/client/internal'
import { expect, test } from 'vitest'
import { PrintableStream } from '../../src/agent/printable-stream.ts'

function throughStream(pieces: readonly string[]): string {
  const stream = new PrintableStream()
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end()
}

test.each([
  ['a control sequence', 'a\u001b[1;31mred\u001b[0m b'],
  ['a sequence of one character', 'a\u009b31mb'],
  ['line breaks', 'a\r\nb\rc\n\nd\t e'],
  ['characters of two units', 'a😀b\u{E0041}c'],
  ['half a character', 'a\ud83d b'],
  ['marks of direction', 'a\u202Eb\u2066c\u200B'],
  ['a title', '\u001b]0;title\u0007b'],
  ['a sequence that never ends', `\u001b[${'1;'.repeat(40)}`],
])('text with %s is the same in pieces as in one', (_, text) => {
  const whole = printable(text, { keepLines: true })
  expect(throughStream([text])).toBe(whole)
  expect(throughStream(text.split(''))).toBe(whole)
  for (let middle = 0; middle <= text.length; middle += 1)
    expect(throughStream([text.slice(0, middle), text.slice(middle)])).toBe(whole)
})

test('text is shown as soon as it arrives', () => {
  const stream = new PrintableStream()
  expect(stream.push('one two\n')).toBe('one two\n')
  expect(stream.push('three\u001b')).toBe('three')
  expect(stream.push('[0mfour')).toBe('four')
})

test('what is held back is bounded', () => {
  const stream = new PrintableStream()
  expect(stream.push(`\u001b[${'1'.repeat(100)}`)).not.toBe('')
})
