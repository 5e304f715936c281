import { expect, test } from 'vitest'
import { toText } from '../../src/index.ts'

test('a result is text without a bridge, by the same rules', () => {
  const picture = { type: 'image', data: 'aW1n', mimeType: 'image/png' } as const
  const result = { content: [{ type: 'text', text: 'one' } as const, picture] }
  expect(toText(result)).toBe('one\n[image image/png]')
  expect(toText({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}')
})
