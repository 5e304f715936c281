import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { toolUri } from '../../src/catalog/tool-uri.ts'
import {
  argumentPath,
  hasWindowsSeparators,
  parseArguments,
} from '../../src/permission/rules/argument-pattern.ts'
import {
  decoded,
  folded,
  foldedPath,
  isRooted,
  normalizedPath,
  pathsOf,
} from '../../src/permission/rules/path-text.ts'
import { targetMatcher, toolSubject } from '../../src/permission/rules/subject.ts'
import {
  pathReadings,
  patternReadings,
  plainReadings,
  resourceReadings,
} from '../../src/permission/rules/value-readings.ts'
import { canonicalJson, leavesOf, valuesAround, valuesAt } from '../../src/permission/rules/values.ts'
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

describe('a path is normalized', () => {
  test.each([
    ['/a/b', '/a/b'],
    ['/a/./b//c/', '/a/b/c'],
    ['/a/../b', '/b'],
    ['/../a', '/a'],
    ['../a', '../a'],
    ['../../a', '../../a'],
    ['a/../../b', '../b'],
    ['a\\b', 'a/b'],
    ['C:\\a\\..\\b', 'C:/b'],
    ['C:/../a', 'C:/a'],
    ['\\\\?\\C:\\a', 'C:/a'],
    ['//./C:/a', 'C:/a'],
    ['//?/x', '/?/x'],
    ['file:///a/b', '/a/b'],
    ['FILE://host/a', '/a'],
    ['file:/a', '/a'],
    ['file:a', 'a'],
    ['file:///a%20b?x#y', '/a b'],
    ['file:///a#b\nc', '/a'],
    ['file:///C:/a', 'C:/a'],
    ['xfile:///a', 'xfile:/a'],
    ['/dev/fd/3', '/proc/self/fd/3'],
    ['dev/fd/3', 'dev/fd/3'],
    ['/x/dev/fd', '/x/dev/fd'],
    ['/proc/self/root/etc', '/etc'],
    ['/proc/self/cwd/a', 'a'],
    ['/proc/1/root/a', '/a'],
    ['/proc/1x/root/a', '/proc/1x/root/a'],
    ['/proc/thread-self/root/a', '/a'],
    ['/proc/self/task/1/root/a', '/a'],
    ['/proc/self/task/1/cwd', ''],
    ['/proc/self/roots/a', '/proc/self/roots/a'],
    ['/x/proc/self/root/a', '/x/proc/self/root/a'],
    ['proc/self/root/a', 'proc/self/root/a'],
    ['/proc/self/root/proc/self/root/a', '/a'],
  ])('%j is %j', (text, expected) => {
    expect(normalizedPath(text)).toBe(expected)
  })

  test.each<[string, readonly string[]]>([
    ['/a/../b', ['/b']],
    ['a\\..\\b', ['b', 'a\\..\\b', 'a\\..\\b']],
    ['C:/a', ['C:/a', 'C:/a', 'C:/a']],
    ['file:///a//../b', ['/b', 'file:/b', '/a/b']],
    ['\\\\?\\C:\\a', ['C:/a', '\\\\?\\C:\\a', '\\\\?\\C:\\a', 'C:/a']],
    ['//./x/../y', ['/y', 'y']],
    ['/?/a', ['/?/a']],
  ])('%j may denote %j', (text, expected) => {
    expect(pathsOf(text)).toEqual(expected)
  })

  test('it is rooted at a root, a home or a drive', () => {
    const paths = ['/a', '\\a', '~', 'C:', 'a', './a', '1:', 'x~']
    expect(paths.map(isRooted)).toEqual([true, true, true, true, false, false, false, false])
  })
})

describe('what readers may ignore is folded', () => {
  test.each([
    ['ABC', 'abc'],
    ['\uFF21', 'a'],
    ['e\u0301', 'é'],
    ['a\u200Bb\u00AD', 'ab'],
    ['a\0b', 'ab'],
    ['a\u200B\0', 'a'],
  ])('%j is %j', (text, expected) => {
    expect(folded(text)).toBe(expected)
  })

  test.each([
    ['/A/b. ', '/a/b'],
    ['/a./b', '/a/b'],
    ['/a::$DATA', '/a'],
    ['/a::$DATA/b', '/a/b'],
    ['/../b', '/../b'],
    ['/. /b', '/. /b'],
    ['a.b', 'a.b'],
  ])('of the path %j, %j is left', (path, expected) => {
    expect(foldedPath(path)).toBe(expected)
  })

  test('a text that is not percent-encoded stays', () => {
    expect([decoded('%41'), decoded('%'), decoded('%FF')]).toEqual(['A', '%', '%FF'])
  })
})

describe('the values of arguments', () => {
  const args = { a: { b: 1, c: [{ b: 2 }, { b: 3 }] }, list: '[{"b": 4}]', text: '{"b": 5}', n: null }

  test('are found at a path, with wildcards', () => {
    expect(valuesAt(args, ['a', 'b'])).toEqual([1])
    expect(valuesAt(args, ['a', 'c', 'b'])).toEqual([])
    expect(valuesAt(args, ['a', 'c', '*', 'b'])).toEqual([2, 3])
    expect(valuesAt(args, ['a', 'c', '0', 'b'])).toEqual([2])
    expect(valuesAt(args, ['**', 'b'])).toEqual([1, 2, 3])
    expect(valuesAt(args, ['list', '*', 'b'])).toEqual([])
    expect(valuesAt(args, ['n', 'b'])).toEqual([])
    expect(valuesAt(args, ['constructor'])).toEqual([])
    expect(valuesAt(args, [])).toEqual([args])
  })

  test('are found in lists and texts, too, where a rule restricts', () => {
    expect(valuesAround(args, ['a', 'c', 'b'])).toEqual([2, 3])
    expect(valuesAround(args, ['list', 'b'])).toEqual([4])
    expect(valuesAround(args, ['text', 'b'])).toEqual([5])
    expect(valuesAround({ a: '[not json' }, ['a', 'b'])).toEqual([])
    expect(valuesAround({ a: '"b"' }, ['a', 'b'])).toEqual([])
    expect(new Set(valuesAround(args, ['**', 'b']))).toEqual(new Set([1, 2, 3, 4, 5]))
  })

  test('have leaves, with the keys that lead to them', () => {
    const leaves = (value: unknown, options = {}) =>
      leavesOf(value, options)
        .map(({ key, value: each }) => `${key}=${String(each)}`)
        .toSorted()
    expect(leaves({ a: 1, b: [true, { c: null }], d: '[2]' })).toEqual(['a=1', 'b=true', 'c=null', 'd=[2]'])
    expect(leaves({ d: '[2]' }, { opens: /^\[/ })).toEqual(['d=2', 'd=[2]'])
    expect(leaves({ d: '[2' }, { opens: /^\[/ })).toEqual(['d=[2'])
    expect(leaves({ a: ['x'] }, { names: true })).toEqual(['a=a', 'a=x'])
    expect(leaves(new URL('https://a.test/'))).toEqual(['=https://a.test/'])
    expect(leaves({ toJSON: 1 })).toEqual(['toJSON=1'])
    const circle: Record<string, unknown> = { a: 1 }
    circle['self'] = circle
    expect(leaves(circle)).toEqual(['a=1'])
  })

  test('have one canonical text', () => {
    expect(canonicalJson({ b: 1, a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2,"d":1}],"b":1}')
    expect(canonicalJson(undefined)).toBe('null')
  })
})

describe('the readings', () => {
  test.each<[string, readonly string[]]>([
    ['file:///A/../b', ['file:///a/../b', 'file:///b', 'file:///file:/b']],
    ['https://U:p@Host./x', ['https://u:p@host./x', 'https://host/x']],
    ['note:a%20B', ['note:a%20b', 'note:a b']],
    [' x ', [' x ', 'x']],
  ])('of the resource %j include %j', (uri, expected) => {
    expect(resourceReadings(uri)).toEqual(expect.arrayContaining([...expected]))
  })

  test.each<[string, readonly string[]]>([
    ['a', ['a']],
    ['note:/A', ['note:/a']],
    ['https://a.test/x', ['https://a.test/x']],
    ['file:a', ['file:a', 'file:///a', 'file:///file:a']],
    ['https://a.test/%zz', ['https://a.test/%zz']],
  ])('of the resource %j are %j', (uri, expected) => {
    expect(resourceReadings(uri)).toEqual(expected)
  })

  const home = homedir().toLowerCase()
  test.each<[string, readonly string[], readonly string[]]>([
    ['a', [], ['a']],
    ['a', ['/P', '/q/'], ['a', '/p/a', '/q/a']],
    [' A/ ', [], [' a/ ', 'a/', 'a']],
    ['/p/A', ['/P'], ['/p/a', 'a']],
    ['/px/a', ['/p'], ['/px/a']],
    ['../a/../b', [], ['../a/../b', '../b', '/b']],
    ['../../a', ['/p/q'], ['../../a', '/a']],
    ['%2Fetc', [], ['%2fetc', '/etc']],
    ['~', [], ['~', home]],
    ['~/x', [], ['~/x', `${home}/x`]],
    ['~x', [], ['~x']],
    ['C:x', [], ['c:x', 'x']],
    ['C:/x', [], ['c:/x']],
    ['/a. /b', [], ['/a. /b', '/a/b']],
    ['https://U@a.test./x', [], ['https://u@a.test./x', 'https://a.test/x', 'https:/u@a.test/x']],
    ['file:///x', [], ['file:///x', '/x', 'file:/x']],
  ])('of the path %j from %j are %j', (text, folders, expected) => {
    expect(new Set(pathReadings(text, folders))).toEqual(new Set(expected))
  })

  test.each<[string, readonly string[]]>([
    ['/etc/**', ['/etc/**', '/etc']],
    ['/**', ['/**']],
    ['~/x', ['~/x', `${homedir().toLowerCase()}/x`]],
    ['~x', ['~x']],
    ['C:/x', ['c:/x', '/x']],
    ['./a/../b', ['./a/../b', 'b']],
    ['/a/./b', ['/a/./b', '/a/b']],
    ['file:///x', ['file:///x', '/x']],
  ])('of the pattern %j are %j', (pattern, expected) => {
    expect(patternReadings(pattern)).toEqual(expected)
  })

  test.each<[string, readonly string[]]>([
    ['/a/../b', ['/b']],
    ['https://a.test/x/../y', ['https://a.test/y']],
    ['https://a b', ['https://a b']],
    ['/a%2Fb', ['/a%2Fb', '/a/b']],
    ['FILE:///a/../b', ['/b', 'FILE:/b', '/b']],
  ])('of the value %j that a rule allows are %j', (text, expected) => {
    expect(plainReadings(text)).toEqual(expected)
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
