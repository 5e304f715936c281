import { toText } from '@toolbridge/bridge'
import type { CallToolResult, ContentBlock } from '@toolbridge/client'
import { expect, test } from 'vitest'

test('a result as text has one line per block and says what text cannot [S3-38] [S3-39]', () => {
  const content: readonly ContentBlock[] = [
    { type: 'text', text: 'one' },
    { type: 'image', data: 'aW1n', mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
    { type: 'resource', resource: { uri: 'file:///b', blob: 'YQ==' } },
    { type: 'resource_link', uri: 'file:///c', name: 'c' },
  ]
  expect(toText({ content })).toBe(
    'one\n[image image/png]\ninside\n[resource file:///b]\n[resource file:///c]',
  )
})

test('structured content speaks when there are no blocks, and only then [S3-41]', () => {
  expect(toText({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}')
  expect(toText({ content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } })).toBe('x')
  expect(toText({ content: [] })).toBe('')
})

test('a block of a kind that is not known is shown as it came [S3-40]', () => {
  const result: unknown = { content: [{ type: 'hologram', data: 1 }] }
  expect(toText(result as CallToolResult)).toBe('{"type":"hologram","data":1}')
})
