import { expect, test } from 'vitest'
import { dryRunSentence } from '../src/permissions/dry-run.tsx'
import { draftOf, modeSentence, patternOf, readDraft, rowAt, withRow } from '../src/permissions/rules-text.ts'
import { sideBySide } from '../src/permissions/side-by-side.ts'

test('saved rules become rows, the strictest first, and are read back as they were', () => {
  const rules = {
    mode: 'ask' as const,
    allow: ['mcp://files/read_*'],
    deny: ['mcp:rm', { match: 'mcp:*', arguments: { path: '/etc/**' } }],
  }
  const draft = draftOf({ rules, version: 4, gatewayMode: 'ask' })
  expect(draft.version).toBe(4)
  expect(draft.rows.map(({ kind, text }) => [kind, text])).toEqual([
    ['deny', 'mcp:rm'],
    ['deny', '{"match":"mcp:*","arguments":{"path":"/etc/**"}}'],
    ['allow', 'mcp://files/read_*'],
  ])
  expect(readDraft(draft).rules).toEqual(rules)
})

test('rows without text are left out, and a place of the gateway leads to its row', () => {
  const empty = draftOf({ rules: {}, gatewayMode: 'ask' })
  expect(readDraft(empty)).toMatchObject({ rules: {} })
  const draft = withRow(withRow(withRow(empty, 'ask'), 'ask', ' mcp:a '), 'ask', 'b')
  const { rules, places } = readDraft(draft)
  expect(rules).toEqual({ ask: ['mcp:a', 'b'] })
  expect(rowAt(places, '/rules/ask/1')).toBe(2)
  expect(rowAt(places, '/rules/ask/0/arguments/x')).toBe(1)
  expect(rowAt(places, '/rules/mode')).toBeUndefined()
})

test('an object that is not JSON is an issue with its column, one that is no rule with what is wrong', () => {
  const base = draftOf({ rules: {}, gatewayMode: 'ask' })
  const draft = withRow(withRow(base, 'deny', '{ "match": }'), 'deny', '{ "matches": "mcp:a" }')
  const { rules, issues } = readDraft(draft)
  expect(rules).toEqual({})
  expect(issues.get(0)).toBe('Column 12: this is not JSON (ValueExpected).')
  expect(issues.get(1)).toContain('must be a pattern such as "mcp://server/tool"')
})

test('the pattern of a tool covers that tool only, whatever its name is', () => {
  expect(patternOf('files', 'read_file')).toBe('mcp://files/read_file')
  expect(patternOf('a/b', 'x*(y)?')).toBe('mcp://a%2Fb/x%2A%28y%29%3F')
})

test('a mode is explained, also that of the gateway', () => {
  expect(modeSentence('plan', 'ask')).toBe('Every call is denied, whatever the rules say.')
  expect(modeSentence('', 'yolo')).toContain('are allowed without ever asking')
})

test('a dry run is summarized', () => {
  expect(dryRunSentence(0, 0)).toBe('There are no past calls to try the rules on.')
  expect(dryRunSentence(0, 1)).toBe('The one past call would be decided as before.')
  expect(dryRunSentence(0, 7)).toBe('All 7 past calls would be decided as before.')
  expect(dryRunSentence(2, 5)).toBe('2 of 7 past calls would be decided differently.')
})

test('a line diff becomes two columns, with replaced lines beside each other', () => {
  const diff = [
    '  …',
    '  name: told',
    '- description: old',
    '- gone',
    '+ description: new',
    '  input: {}',
    '+',
  ].join('\n')
  expect(sideBySide(diff)).toEqual([
    { kind: 'gap', before: '…', after: '' },
    { kind: 'same', before: 'name: told', after: 'name: told' },
    { kind: 'changed', before: 'description: old', after: 'description: new' },
    { kind: 'changed', before: 'gone' },
    { kind: 'same', before: 'input: {}', after: 'input: {}' },
    { kind: 'changed', after: '' },
  ])
})
