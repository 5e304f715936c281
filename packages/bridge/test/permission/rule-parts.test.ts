import { describe, expect, test } from 'vitest'
import { toolUri } from '../../src/catalog/tool-uri.ts'
import {
  argumentPath,
  hasWindowsSeparators,
  parseArguments,
} from '../../src/permission/rules/argument-pattern.ts'
import { decoded } from '../../src/permission/rules/pattern.ts'
import { targetMatcher, toolSubject } from '../../src/permission/rules/subject.ts'
import { compileGlob, compileValueGlob } from '../../src/text/glob.ts'

test.each([
  [true, 'abc', 'abc'],
  [false, 'abc', 'abcd'],
  [true, '*', ''],
  [true, 'a*', 'a'],
  [true, 'a*c', 'abc'],
  [true, 'a*c', 'ac'],
  [false, 'a*c', 'ab'],
  [false, 'ab*bc', 'abc'],
  [true, 'ab*bc', 'abbc'],
  [true, '*b*', 'abc'],
  [true, 'a*b*c*d', 'a1b2c3d'],
  [false, 'a*b*c*d', 'a1c2b3d'],
  [false, '*aa*aa*', 'aaa'],
  [false, 'a*a*b', 'ab'],
  [false, 'a*b*b', 'ab'],
  [true, 'A%2A*', 'A*x'],
  [true, 'a*', 'a/b\\c'],
])('%s: the pattern %s matches %s', (expected, pattern, text) => {
  expect(compileGlob(pattern, decoded)(text)).toBe(expected)
})

test.each([
  [true, 'a*', 'abc', false],
  [false, 'a*', 'a/b', false],
  [false, 'a*', 'a\\b', false],
  [true, 'a*', 'a/b', true],
  [true, 'a**', 'a/b', false],
  [true, 'a***', 'a/b', false],
  [true, '/a/*/c', '/a/b/c', false],
  [false, '/a/*/c', '/a/b/x/c', false],
  [true, '/a/**/c', '/a/b/x/c', false],
  [false, '/a/*/c', '/a/b/d', false],
  [true, '*/*', 'a/b', false],
  [true, '*a*a', 'aXaYa', false],
  [true, '\\*', '*', false],
  [false, '\\*', 'a', false],
  [true, 'a\\', 'a\\', false],
  [true, '\\a', 'a', false],
  [true, 'rm *', 'rm /etc', true],
  [false, 'rm *', 'rm', true],
  [true, '*', '', false],
  [false, 'a*b', 'a', false],
])('%s: the value pattern %s matches %s (loose: %s)', (expected, pattern, text, loose) => {
  expect(compileValueGlob(pattern, { loose })(text)).toBe(expected)
})

describe('conditions in parentheses', () => {
  const glob = (path: readonly string[], text: string) => ({
    path,
    conditions: [{ kind: 'glob', glob: text }],
  })
  const equal = (path: readonly string[], value: string) => ({
    path,
    conditions: [{ kind: 'equals', value }],
  })

  test.each<[string, readonly object[]]>([
    ['path=/etc/**', [glob(['path'], '/etc/**')]],
    [' a = b , c = d ', [glob(['a'], 'b'), glob(['c'], 'd')]],
    ['a.b=c', [glob(['a', 'b'], 'c')]],
    ['/a~1b/c~0d=e', [glob(['a/b', 'c~d'], 'e')]],
    ['a="b, c"', [equal(['a'], 'b, c')]],
    ['a="b\\"c",d=e', [equal(['a'], 'b"c'), glob(['d'], 'e')]],
    ['a=b\\,c', [glob(['a'], 'b\\,c')]],
    ['a=b=c', [glob(['a'], 'b=c')]],
    ['a=b\nc', [glob(['a'], 'b\nc')]],
    ['a=b"c', [glob(['a'], 'b"c')]],
    ['a b=c', [glob(['a b'], 'c')]],
  ])('%j', (text, expected) => {
    expect(parseArguments(text)).toEqual({ arguments: expected })
  })

  test.each(['', 'a', 'a=', '=a', 'a=b,', 'a="b', 'a="b"c', 'a=\\d', 'a=C:\\'])('%j is none', (text) => {
    expect(parseArguments(text)).toHaveProperty('problem')
  })

  test('a backslash is a separator of Windows before a letter or after a drive', () => {
    const texts = ['C:\\', 'a\\b', 'a\\1', 'a\\é', '\\*', 'a\\ ', 'C:/', 'xC:\\*', '\\\\*']
    expect(texts.map(hasWindowsSeparators)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  test('a path is a pointer or has dots', () => {
    expect(argumentPath('a.b')).toEqual(['a', 'b'])
    expect(argumentPath('/a.b/c')).toEqual(['a.b', 'c'])
    expect(argumentPath('/a~01~10')).toEqual(['a~1/0'])
  })
})

const hiddenNames = [
  'delete',
  'delete ',
  ' delete',
  'delete\n',
  'de\u001B[0mlete',
  'delete\uD800',
  'DELETE\t',
  'delete\u{E0041}',
]

test.each(hiddenNames)('a rule that denies delete also denies %j', (rawName) => {
  const uri = toolUri('files', rawName)
  const tool = {
    name: `files__${rawName}`,
    server: 'files',
    rawName,
    uri,
    plainNames: [],
    definition: { name: rawName, inputSchema: {} },
  }
  const matches = targetMatcher({ kind: 'pair', server: 'files', item: 'delete' } as const, { narrows: true })
  expect(matches(toolSubject(tool))).toBe(true)
})
