import { expect, test } from 'vitest'
import { changesSummary, serverChanges } from '../src/versions/server-changes.ts'

test('differences are grouped by server, and a value that may be a secret is named by its type only', () => {
  const changes = serverChanges([
    { path: '/mcpServers/a~1b/env/TOKEN', before: 'string', after: 'string' },
    { path: '/mcpServers/a~1b/args/0', before: 'string', beforeText: '"-y"' },
    {
      path: '/mcpServers/new',
      after: 'object',
      afterText: '{"command":"npx","env":{"KEY":{"kept":2}}}',
    },
    { path: '/mcpServers/a~1b/timeout', before: 'number', after: 'number', beforeText: '1', afterText: '2' },
  ])
  expect(changes).toEqual([
    {
      server: 'a/b',
      fields: [
        { kind: 'changed', place: 'env › TOKEN', before: 'hidden text', after: 'hidden text' },
        { kind: 'removed', place: 'args › 0', before: '"-y"' },
        { kind: 'changed', place: 'timeout', before: '1', after: '2' },
      ],
    },
    {
      server: 'new',
      fields: [
        {
          kind: 'added',
          place: '',
          after: JSON.stringify({ command: 'npx', env: { KEY: 'hidden text' } }, null, 2),
        },
      ],
    },
  ])
  expect(changesSummary(changes)).toBe('Adds new; changes a/b.')
})

test('a summary names what is removed, and says so if nothing differs', () => {
  const gone = serverChanges([{ path: '/mcpServers/gone', before: 'object', beforeText: '{}' }])
  expect(changesSummary(gone)).toBe('Removes gone.')
  expect(changesSummary([])).toBe('The servers are the same.')
})
