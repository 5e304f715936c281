import { expect, test } from 'vitest'
import { redactedMessage } from '../../src/journal/redaction/redacted-message.ts'
import { Secrets } from '../../src/journal/redaction/secrets.ts'

/** A message of the journal, parsed again: it is always JSON. */
function told(message: unknown, ...values: readonly string[]): unknown {
  const secrets = new Secrets()
  secrets.keep(values)
  return JSON.parse(redactedMessage(message, (text) => secrets.mask(text)))
}

test.each([
  [
    'a message without secrets',
    { id: 1, params: { a: [true, null, 2] } },
    { id: 1, params: { a: [true, null, 2] } },
  ],
  ['text', { params: { a: 'x secret-1 y' } }, { params: { a: 'x [redacted] y' } }],
  ['a name', { params: { 'secret-1': 1 } }, { params: { '[redacted]': 1 } }],
  ['an item of a list', { result: ['secret-1', 2, true, null] }, { result: ['[redacted]', 2, true, null] }],
  ['a number', { result: { pin: 12345678, other: 1 } }, { result: { pin: '[redacted]', other: 1 } }],
  ['an id that is text', { id: 'secret-1', method: 'm' }, { id: '[redacted]', method: 'm' }],
  ['a member that the protocol does not have', { 'secret-1': 'a' }, { '[redacted]': 'a' }],
  ['a number in such a member', { id: 1, pin: 12345678 }, { id: 1, pin: '[redacted]' }],
  ['a version that is none', { jsonrpc: 'secret-1', id: 1 }, { jsonrpc: '[redacted]', id: 1 }],
  ['a list as a message', ['secret-1', { a: 'secret-1' }], ['[redacted]', { a: '[redacted]' }]],
])('a message is JSON without secrets: %s', (_what, message, expected) => {
  expect(told(message, 'secret-1', '12345678')).toEqual(expected)
})

test('members of the protocol and numbers as ids stay, also if they look like a secret', () => {
  const message = { jsonrpc: '2.0', id: 12345678, method: 'x', params: {}, result: {}, error: {} }
  const names = ['jsonrpc', 'method', 'params', 'result', '12345678']
  expect(told(message, ...names)).toEqual(message)
})

test('JSON in the text of a result is read as other languages write it', () => {
  const secret = 'Ü/4711&<x>'
  for (const text of [
    String.raw`{"key":"\u00dc\/4711&<x>"}`,
    String.raw`{"key":"Ü/4711\u0026\u003cx\u003e"}`,
    String.raw`{"key":"\u00dc/4711&<x>"}`,
  ])
    expect(told({ result: { text } }, secret)).toEqual({ result: { text: '{"key":"[redacted]"}' } })
})

test('the smallest object over which a secret spans is left out', () => {
  const message = { params: { safe: { b: 1 }, spread: { user: 'ada', word: 'x' } } }
  expect(told(message, '"ada","word"')).toEqual({ params: { safe: { b: 1 }, spread: '[redacted]' } })
})

test('what JSON does not have is an empty line', () => {
  expect(redactedMessage(undefined, (text) => text)).toBe('')
})
