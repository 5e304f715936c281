import type { ExplainedServer } from '@toolbridge/api'
import { expect, test } from 'vitest'
import {
  type AddDraft,
  emptyDraft,
  forgetDraft,
  keepDraft,
  keptDraft,
  withChoice,
} from '../src/add/add-draft.ts'
import { chosenServers, enteredValues, freeName, importName } from '../src/add/choices.ts'
import { emptyForm, formText } from '../src/add/form-draft.ts'
import { changedFields, fieldName, targetOf } from '../src/add/server-outline.ts'
import { offsetOf } from '../src/add/text-position.ts'

function tabStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    values,
  }
}

test('a draft is kept for the person who typed it, and removed for anyone else', () => {
  const storage = tabStorage()
  const draft = { ...emptyDraft, text: 'npx -y some', values: { 'input:key': 'hush' } }
  keepDraft(storage, 'ada', draft)
  expect(keptDraft(storage, 'ada')).toEqual(draft)
  expect(keptDraft(storage, 'bob')).toEqual(emptyDraft)
  expect(storage.values.size).toBe(0)
  keepDraft(storage, 'ada', draft)
  forgetDraft(storage)
  expect(keptDraft(storage, 'ada')).toEqual(emptyDraft)
})

test.each(['{', 'null', '{}', '{"person":"ada","value":{"text":7}}'])(
  'a stored %s is no draft, and no error',
  (text) => {
    const storage = tabStorage()
    storage.setItem('toolbridge.add-draft', text)
    expect(keptDraft(storage, 'ada')).toEqual(emptyDraft)
  },
)

test('a storage that is full does not stop the person from typing', () => {
  const full = {
    ...tabStorage(),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  expect(() => keepDraft(full, 'ada', emptyDraft)).not.toThrow()
})

const server = (name: string, changes: Partial<ExplainedServer> = {}): ExplainedServer => ({
  name,
  state: 'on',
  reasons: [],
  entry: { command: 'x' },
  ...changes,
})
const used = { own: new Set(['saved', 'saved-2']), operators: new Set(['house']) }

test('names that cannot be used are found, and only among the servers that are included', () => {
  const servers = ['saved', 'house', 'a', 'b', 'c'].map((name) => server(name))
  const choices = { a: { as: ' ' }, c: { as: 'b' } }
  const problems = (all: AddDraft['choices']) =>
    chosenServers(servers, all, used).map(({ problem }) => problem)
  expect(problems(choices)).toEqual(['saved', 'taken', 'empty', undefined, 'repeated'])
  expect(problems({ ...choices, b: { isIncluded: false }, saved: { replaces: true } })).toEqual([
    undefined,
    'taken',
    'empty',
    undefined,
    undefined,
  ])
  expect(freeName('saved', used)).toBe('saved-3')
})

test('a server that cannot be saved is not included, and only changed names are sent', () => {
  const { entry: _entry, ...refused } = server('refused', { state: 'refused' })
  const choices = withChoice({ refused: { isIncluded: true } }, 'a', { as: ' mine ', replaces: true })
  const chosen = chosenServers([refused, server('a'), server('b')], choices, used)
  expect(chosen.map(({ isIncluded }) => isIncluded)).toEqual([false, true, true])
  expect(chosen.map(importName)).toEqual([{}, { as: 'mine', replaces: true }, {}])
})

test('only values of variables that an included server uses are sent, and no empty ones', () => {
  const asking = server('a', { asks: [{ variable: 'input:key' }, { variable: 'input:empty' }] })
  const values = { 'input:key': 'hush', 'input:empty': '', 'input:other': 'not asked' }
  expect(enteredValues(chosenServers([asking], {}, used), values)).toEqual({ 'input:key': 'hush' })
  expect(enteredValues(chosenServers([asking], { a: { isIncluded: false } }, used), values)).toEqual({})
})

test('a form is the text of the same definition', () => {
  expect(formText(emptyForm)).toBe('')
  const env = [
    { name: ' KEY ', value: 'hush' },
    { name: '', value: 'unused' },
  ]
  const program = { ...emptyForm, name: 'a', command: ' npx ', args: '-y\n\n some ', env }
  expect(JSON.parse(formText(program))).toEqual({
    mcpServers: { a: { command: 'npx', args: ['-y', 'some'], env: { KEY: 'hush' } } },
  })
  const remote = { ...emptyForm, kind: 'url' as const, url: 'https://a.example/mcp' }
  expect(JSON.parse(formText(remote))).toEqual({ url: 'https://a.example/mcp' })
})

test('a command is shown as it could be typed, and a field by its own name', () => {
  expect(targetOf({ command: 'npx', args: ['-y', 'a b', '', '…'] })).toBe('npx -y "a b" "" …')
  const field = { server: 'a', line: 1, column: 1, reason: '', outcome: 'dropped' as const }
  const fields = [
    { ...field, path: '/mcpServers/a/x~1y' },
    { ...field, path: '/mcpServers/a/command', outcome: 'kept' as const },
    { ...field, path: '/mcpServers/a/type', outcome: 'refused' as const },
    { ...field, path: '/mcpServers/b/z', server: 'b' },
  ]
  expect(changedFields('a', fields).map(fieldName)).toEqual(['x/y'])
})

test('a position is found in the text, and one behind its end is the end', () => {
  expect(offsetOf('ab\ncd', 2, 2)).toBe(4)
  expect(offsetOf('ab\ncd', 9, 9)).toBe(5)
})
