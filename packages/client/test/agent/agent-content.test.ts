import { expect, test } from 'vitest'
import { type CallToolResult, mcpContentToResult, mcpPromptToMessages, toText } from '../../src/index.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
const imagePart = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AAAA' } }

test('texts are joined by newlines [S4-87] [d.6-12]', () => {
  expect(mcpContentToResult({ content: [text('a'), text('b')] })).toBe('a\nb')
  expect(mcpContentToResult({ content: [] })).toBe('')
})

test('a tool’s failure is marked, in words and beside pictures [S4-13] [S4-87] [D31] [d.6-12]', () => {
  expect(mcpContentToResult({ content: [text('no')], isError: true })).toBe('Tool error: no')
  expect(mcpContentToResult({ content: [image], isError: true })).toEqual([text('Tool error:'), imagePart])
  expect(mcpContentToResult({ content: [], structuredContent: { why: 1 }, isError: true })).toBe(
    'Tool error: {"why":1}',
  )
})

test('pictures and sound become parts, in their place among the texts [S4-88]', () => {
  const audio = { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' } as const
  expect(mcpContentToResult({ content: [text('a'), image, audio, text('b')] })).toEqual([
    text('a'),
    imagePart,
    { type: 'audio', source: { type: 'base64', mediaType: 'audio/wav', data: 'BBBB' } },
    text('b'),
  ])
})

test('resources are shown by their text or by their address [S4-90] [S4-91]', () => {
  const content: CallToolResult['content'] = [
    { type: 'resource', resource: { uri: 'x:1', text: 'inside' } },
    { type: 'resource', resource: { uri: 'x:2', blob: 'AAAA' } },
    { type: 'resource_link', uri: 'x:3', name: 'three' },
  ]
  expect(mcpContentToResult({ content })).toBe('inside\n[resource x:2]\n[resource x:3]')
})

test('texts beside a picture are joined as they are without one [S4-87] [S4-88] [D28]', () => {
  expect(mcpContentToResult({ content: [text('a'), text('b'), image] })).toEqual([text('a\nb'), imagePart])
})

test('a picture or a file inside of a resource is shown by its address [S4-90] [D29]', () => {
  const resource = { uri: 'x:4', blob: 'AAAA', mimeType: 'image/png' }
  expect(mcpContentToResult({ content: [{ type: 'resource', resource }] })).toBe('[resource x:4]')
})

test('a failure without words says that the tool failed [S4-87]', () => {
  expect(mcpContentToResult({ content: [], isError: true })).toBe('Tool error: the tool failed')
})

test.each<CallToolResult>([
  { content: [] },
  { content: [text('a'), text(''), text('b')] },
  { content: [], structuredContent: [1] },
  { content: [text('a')], structuredContent: [1] },
  { content: [{ type: 'resource_link', uri: 'x:3', name: 'three' }, text('b')] },
  { content: [{ type: 'resource', resource: { uri: 'x:1', text: 'inside' } }] },
])('%j is the same text for an agent loop and for toText [D28] [D29] [D30]', (result) => {
  expect(mcpContentToResult(result)).toBe(toText(result))
})

test('structured content speaks where there is no other, whatever value it is [d.6-12]', () => {
  expect(mcpContentToResult({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}')
  expect(mcpContentToResult({ content: [], structuredContent: null })).toBe('null')
  expect(mcpContentToResult({ content: [text('said')], structuredContent: { a: 1 } })).toBe('said')
})

test('blocks of unknown types are left out [S4-89]', () => {
  const content = [text('a'), { type: 'hologram', data: 1 }] as unknown as CallToolResult['content']
  expect(mcpContentToResult({ content })).toBe('a')
})

test('a prompt becomes messages [S4-92]', () => {
  const messages = [
    { role: 'user', content: text('Look:') },
    { role: 'user', content: image },
    { role: 'assistant', content: { type: 'resource', resource: { uri: 'x:1', text: 'inside' } } },
  ] as const
  expect(mcpPromptToMessages({ messages })).toEqual([
    { role: 'user', content: 'Look:' },
    { role: 'user', content: [imagePart] },
    { role: 'assistant', content: 'inside' },
  ])
})
