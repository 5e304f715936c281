import { expect, test } from 'vitest'
import { readEntryText, readServerText } from '../src/servers/server-text.ts'

const stdio = { command: 'npx', args: ['-y', 'server'] }

test.each([
  ['mcpServers', { mcpServers: { a: stdio } }],
  ['servers', { servers: { a: stdio } }],
  ['a bare map', { a: stdio }],
])('servers are read from %s', (_shape, document) => {
  expect(readServerText(JSON.stringify(document))).toEqual({ kind: 'servers', servers: { a: stdio } })
})

test('one server without a name is read as one', () => {
  expect(readServerText(JSON.stringify(stdio))).toEqual({ kind: 'nameless', entry: stdio })
  expect(readEntryText(JSON.stringify(stdio))).toEqual({ kind: 'nameless', entry: stdio })
})

test('comments and trailing commas are fine, and a command without arguments has none', () => {
  expect(readServerText('{ // mine\n "a": { "command": "x", }, }')).toEqual({
    kind: 'servers',
    servers: { a: { command: 'x', args: [] } },
  })
})

test('nothing yet is not an error', () => {
  expect(readServerText(' \n')).toEqual({ kind: 'empty' })
})

test.each([
  ['{ "a": ', 1, 8, /value is expected/],
  ["{ 'a': {} }", 1, 3, /double quotes/],
  ['{\n  "a": { "command": 7 }\n}', 2, 8, /"command" to start it or a "url"/],
  ['{\n  "a": { "command": "x", "args": [1] }\n}', 2, 35, /args\.0/],
  ['{ "a": { "url": "nowhere" } }', 1, 17, /url/],
  ['[]', 1, 1, /must be an object/],
  ['{}', 1, 1, /no server/],
])('%j is refused with a place and a reason', (text, line, column, message) => {
  const reading = readServerText(text)
  expect(reading).toMatchObject({ kind: 'issues' })
  expect(reading.kind === 'issues' ? reading.issues : []).toContainEqual(
    expect.objectContaining({ line, column, message: expect.stringMatching(message) }),
  )
})

test('every entry that is wrong is told, not only the first', () => {
  const reading = readServerText('{ "a": { "command": "x", "args": 1 }, "b": {} }')
  expect(reading.kind === 'issues' ? reading.issues : []).toHaveLength(2)
})

test('a field that is not known here is left for the gateway to judge', () => {
  const entry = { ...stdio, autoApprove: ['read'], disabledTools: ['delete'] }
  expect(readServerText(JSON.stringify({ a: entry }))).toEqual({ kind: 'servers', servers: { a: entry } })
})

test('a server whose address is kept is a server', () => {
  const entry = { url: { kept: 3 } }
  expect(readEntryText(JSON.stringify(entry))).toEqual({ kind: 'nameless', entry })
})
