import type { Tool } from '@toolbridge/client'
import { expect, test } from 'vitest'
import { describeChange } from '../../src/permission/pins/describe-change.ts'
import { pinOf } from '../../src/permission/pins/pins.ts'

function change(before: Partial<Tool>, now: Partial<Tool>): readonly string[] {
  const tool = { name: 't', inputSchema: {} }
  return describeChange(pinOf({ ...tool, ...before }), pinOf({ ...tool, ...now })).split('\n')
}

/** A description of one line per letter. */
function lines(letters: string): Partial<Tool> {
  return { description: ['', ...letters.split('')].join('\n') }
}

test('every part of a definition is shown, with the names of objects in order', () => {
  const whole: Partial<Tool> = {
    title: 'T',
    description: 'D',
    inputSchema: { b: [{ d: 1, c: null }], a: 'x' },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  }
  expect(change({ name: 'u', inputSchema: { z: 1 } }, whole)).toEqual([
    '- name: u',
    '+ name: t',
    '+ title: T',
    '+ description: D',
    '  input: {',
    '-   "z": 1',
    '+   "a": "x",',
    '+   "b": [',
    '+     {',
    '+       "c": null,',
    '+       "d": 1',
    '+     }',
    '+   ]',
    '+ }',
    '+ output: {',
    '+   "type": "object"',
    '+ }',
    '+ annotations: {',
    '+   "readOnlyHint": true',
    '  }',
  ])
})

test.each([
  ['abc', 'abc', ['  …']],
  ['abcdef', 'abXdef', ['  …', '  a', '  b', '- c', '+ X', '  d', '  e', '  …']],
  ['abcdef', 'bcdef', ['  name: t', '  description:', '- a', '  b', '  c', '  …']],
  ['bcdef', 'abcdef', ['  name: t', '  description:', '+ a', '  b', '  c', '  …']],
  ['abcd', 'acbd', ['  …', '  description:', '  a', '- b', '  c', '+ b', '  d', '  input: {}']],
  ['abcdefghijk', 'Xbcdefghijk', ['  name: t', '  description:', '- a', '+ X', '  b', '  c', '  …']],
  ['Xbcdefghi', 'Xbcdefghiz', ['  …', '  h', '  i', '+ z', '  input: {}']],
  [
    'abcdefghij',
    'aXcdefghXj',
    [
      '  …',
      '  description:',
      '  a',
      '- b',
      '+ X',
      '  c',
      '  d',
      '  …',
      '  g',
      '  h',
      '- i',
      '+ X',
      '  j',
      '  input: {}',
    ],
  ],
])('the shortest difference of %s and %s, with two lines around it', (before, now, shown) => {
  expect(change(lines(before), lines(now))).toEqual(shown)
})

test('sentences are lines of their own, and long ones are broken at a space', () => {
  const words = Array.from({ length: 30 }, (_unused, index) => `word${index}`).join(' ')
  const shown = change({}, { description: `One. Two! Three? Four; five ${words}${'x'.repeat(250)}` })
  expect(shown.slice(0, 5)).toEqual(['  name: t', '+ description: One.', '+ Two!', '+ Three?', '+ Four;'])
  expect(shown[5]).toMatch(/^\+ five word0 .* word\d+$/)
  expect(shown.every((line) => line.length <= 102)).toBe(true)
  expect(shown.filter((line) => line === `+ ${'x'.repeat(100)}`)).toHaveLength(1)
})

test('at most 400 lines are shown, and how many are left out', () => {
  const added = (count: number) =>
    change(
      {},
      { description: ['', ...Array.from({ length: count }, (_unused, index) => `${index}`)].join('\n') },
    )
  // Besides the added lines: the name before them, the description itself, and the schema behind them.
  expect(added(397)).toHaveLength(400)
  expect(added(397).at(-1)).toBe('  input: {}')
  expect(added(398)).toHaveLength(401)
  expect(added(398).at(-1)).toBe('… and 1 more lines')
  expect(added(500).slice(0, 4)).toEqual(['  name: t', '+ description:', '+ 0', '+ 1'])
})

test('the names of nested objects are in order, whatever their values', () => {
  const inputSchema = { b: { d: 1, c: [] }, a: null, c: 'x' }
  expect(change({}, { inputSchema })).toEqual([
    '  name: t',
    '- input: {}',
    '+ input: {',
    '+   "a": null,',
    '+   "b": {',
    '+     "c": [],',
    '+     "d": 1',
    '+   },',
    '+   "c": "x"',
    '+ }',
  ])
})

test('a line with a space more is a change, and an empty line is shown', () => {
  expect(change({ description: 'a' }, { description: 'a \n\nb' })).toEqual([
    '  name: t',
    '- description: a',
    '+ description: a',
    '+',
    '+ b',
    '  input: {}',
  ])
})
