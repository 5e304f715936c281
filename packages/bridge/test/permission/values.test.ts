import { describe, expect, test } from 'vitest'
import { finished } from '../../src/permission/readings/steps.ts'
import { means, scalarIn } from '../../src/permission/readings/words.ts'
import {
  canonicalJson,
  isSameJson,
  type LeafOptions,
  leavesOf,
  openedJson,
  valuesAround,
  valuesAt,
} from '../../src/permission/rules/values.ts'

describe('the values of arguments', () => {
  const args = { a: { b: 1, c: [{ b: 2 }, { b: 3 }] }, list: '[{"b": 4}]', text: '{"b": 5}', n: null }
  const at = (root: unknown, path: readonly string[]) => finished(valuesAt(root, path)).values
  const around = (root: unknown, path: readonly string[]) => finished(valuesAround(root, path, openedJson))

  test('are found at a path, with wildcards', () => {
    expect(at(args, ['a', 'b'])).toEqual([1])
    expect(at(args, ['a', 'c', 'b'])).toEqual([])
    expect(at(args, ['a', 'c', '*', 'b'])).toEqual([2, 3])
    expect(at(args, ['a', 'c', '0', 'b'])).toEqual([2])
    expect(at(args, ['**', 'b'])).toEqual([1, 2, 3])
    expect(at(args, ['**', '**', 'c', '**', 'b'])).toEqual([2, 3])
    expect(at(args, ['list', '*', 'b'])).toEqual([])
    expect(at(args, ['n', 'b'])).toEqual([])
    expect(at(args, ['constructor'])).toEqual([])
    expect(at(args, [])).toEqual([args])
    expect(at({ a: undefined }, ['a'])).toEqual([])
  })

  test('are found in lists and texts, too, where a rule restricts', () => {
    expect(around(args, ['a', 'c', 'b'])).toEqual([2, 3])
    expect(around(args, ['a', 'c', '1', 'b'])).toEqual([3])
    expect(around(args, ['list', 'b'])).toEqual([4])
    expect(around(args, ['text', 'b'])).toEqual([5])
    expect(around({ a: '[not json' }, ['a', 'b'])).toEqual([])
    expect(around({ a: '"b"' }, ['a', 'b'])).toEqual([])
    expect(around({ a: [[[{ b: 1 }], { b: 2 }]] }, ['a', 'b'])).toEqual([2, 1])
    expect(around({ a: JSON.stringify(JSON.stringify({ b: 1 })) }, ['a', 'b'])).toEqual([1])
    expect(new Set(around(args, ['**', 'b']))).toEqual(new Set([1, 2, 3, 4, 5]))
  })

  test.each(['PATH', 'Path', 'pa\u200Bth', '\uFF50ath', 'pa\0th'])(
    'of the name %j are those of path where a rule restricts, and doubtful where one allows',
    (name) => {
      expect(around({ path: 1, [name]: 2 }, ['path'])).toEqual([1, 2])
      expect(around({ [name]: 2 }, ['path'])).toEqual([2])
      expect(around([{ [name]: 2 }], ['path'])).toEqual([2])
      expect(finished(valuesAt({ path: 1, [name]: 2 }, ['path']))).toEqual({ values: [1], isAmbiguous: true })
      expect(finished(valuesAt({ a: { path: 1 }, b: { [name]: 2 } }, ['*', 'path'])).isAmbiguous).toBe(true)
    },
  )

  test.each([
    ['k', '\u212A'],
    ['s', '\u017F'],
    ['σ', 'ς'],
    ['σ', 'Σ'],
    ['µ', 'μ'],
  ])('of the name %j are those of %j, too, which servers in Go read as the same field', (one, other) => {
    expect(around({ [other]: 1 }, [one])).toEqual([1])
    expect(around({ [one]: 1 }, [other])).toEqual([1])
  })

  test('are not doubtful because of other names, or of a list', () => {
    expect(finished(valuesAt({ path: 1, paths: 2, file: 3 }, ['path'])).isAmbiguous).toBe(false)
    expect(finished(valuesAt(['a', 'b'], ['0']))).toEqual({ values: ['a'], isAmbiguous: false })
  })

  test('have leaves, with the keys that lead to them', () => {
    const leaves = (value: unknown, options: LeafOptions = {}) =>
      finished(leavesOf([value], options))
        .map(({ key, value: each }) => `${key}=${String(each)}`)
        .toSorted()
    const open = openedJson
    expect(leaves({ a: 1, b: [true, { c: null }], d: '[2]' })).toEqual(['a=1', 'b=true', 'c=null', 'd=[2]'])
    expect(leaves({ d: '[2]' }, { open })).toEqual(['d=2', 'd=[2]'])
    expect(leaves({ d: '[2' }, { open })).toEqual(['d=[2'])
    expect(leaves({ d: ' "[3]"' }, { open })).toEqual(['d= "[3]"', 'd=3', 'd=[3]'])
    expect(leaves({ a: ['x'] }, { names: true })).toEqual(['a=a', 'a=x'])
    expect(leaves(new URL('https://a.test/'))).toEqual(['=https://a.test/'])
    expect(leaves({ toJSON: 1 })).toEqual(['toJSON=1'])
    const circle: Record<string, unknown> = { a: 1 }
    circle['self'] = circle
    expect(leaves(circle)).toEqual(['a=1'])
    expect(finished(leavesOf([circle, circle]))).toHaveLength(1)
  })

  test('have one canonical text', () => {
    expect(canonicalJson({ b: 1, a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2,"d":1}],"b":1}')
    expect(canonicalJson(undefined)).toBe('null')
  })

  test('are compared by their content', () => {
    const by = { isSame: (a: unknown, b: unknown) => a === b, nameOf: (name: string) => name.toLowerCase() }
    const wanted = { a: [1, { b: 'x' }] }
    expect(isSameJson({ A: [1, { B: 'x' }] }, wanted, by)).toBe(true)
    const others = [{}, { a: [1] }, { a: [1, { b: 'y' }] }, { c: [1, { b: 'x' }] }, { a: 1 }, 1, [1], null]
    expect(others.filter((each) => isSameJson(each, wanted, by))).toEqual([])
    expect(isSameJson({ a: 1 }, 1, by)).toBe(false)
    expect(isSameJson([], {}, by)).toBe(false)
    expect(isSameJson({ ...wanted, b: 1 }, wanted, by)).toBe(false)
    expect(isSameJson(new URL('https://a.test/'), 'https://a.test/', by)).toBe(true)
  })
})

describe('a server may take', () => {
  const truth = [
    true,
    1,
    'true',
    'TRUE',
    ' true\n',
    't',
    'T',
    'yes',
    'Y',
    'on',
    'On',
    '1',
    '1.0',
    '\uFF31',
    'ＴＲＵＥ',
  ]
  const falsehood = [false, 0, 'false', 'F', 'no', 'N', 'off', '0', '-0']
  const neither = ['', 'maybe', 'truth', 'nothing', 2, null, 'on fire', '10']

  test('a word or a number for a truth value', () => {
    expect(truth.filter((each) => !means(each, true))).toEqual(['\uFF31'])
    expect(falsehood.filter((each) => !means(each, false))).toEqual([])
    expect([...falsehood, ...neither].filter((each) => means(each, true))).toEqual([])
    expect([...truth, ...neither].filter((each) => means(each, false))).toEqual([])
  })

  test('a text or a truth value for a number', () => {
    const fives = [
      5,
      '5',
      ' 5 ',
      '5.0',
      '+5',
      '05',
      '5e0',
      '0x5',
      '0b101',
      '0o5',
      '0.5e1',
      '\uFF15',
      `${'0'.repeat(1_000)}5`,
    ]
    expect(fives.filter((each) => !means(each, 5))).toEqual([])
    expect(means('1_000', 1_000)).toBe(true)
    expect(means('-5', -5)).toBe(true)
    expect(means('-0x5', -5)).toBe(true)
    expect([true, false].map((each) => [means(each, 1), means(each, 0)])).toEqual([
      [true, false],
      [false, true],
    ])
    const others = ['', ' ', '55', '5 apples', 'five', 'x5', '_5', '5_', null, '-5']
    expect(others.filter((each) => means(each, 5))).toEqual([])
  })

  test('a word for null', () => {
    expect([null, 'null', 'None', ' NIL'].map((each) => means(each, null))).toEqual([true, true, true, true])
    expect(['', 'undefined', 0, false, 'nothing'].filter((each) => means(each, null))).toEqual([])
  })

  test('but nothing for a text that a rule spells out as a word', () => {
    expect(['true', 'False', '5', '-1.5', 'null'].map(scalarIn)).toEqual([true, false, 5, -1.5, null])
    expect(['yes', '5*', '', 'main', '0x5'].map(scalarIn)).toEqual(Array(5).fill(undefined))
  })
})
