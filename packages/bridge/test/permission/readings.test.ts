import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { compatible, folded, foldedPath } from '../../src/permission/readings/folding.ts'
import { isRooted, normalizedPath, pathForms, resolvedPaths } from '../../src/permission/readings/paths.ts'
import { Readings } from '../../src/permission/readings/readings.ts'
import { asAddress, percentDecoded, spellingsOf } from '../../src/permission/readings/spellings.ts'
import { finished } from '../../src/permission/readings/steps.ts'
import { patternReadings } from '../../src/permission/rules/pattern-readings.ts'

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
    ['file:\\\\host\\C|\\a', 'C:/a'],
    ['xfile:///a', 'xfile:/a'],
    ['/dev/fd/3', '/proc/self/fd/3'],
    ['dev/fd/3', 'dev/fd/3'],
    ['/x/dev/fd', '/x/dev/fd'],
    ['/proc/self/root/etc', '/etc'],
    ['/proc/self/cwd/a', 'a'],
    ['/proc/1/root/a', '/a'],
    ['/proc/1x/root/a', '/proc/1x/root/a'],
    ['/proc/12345678901/root/a', '/proc/12345678901/root/a'],
    ['/proc/thread-self/root/a', '/a'],
    ['/proc/thread-self/../../root/a', '/a'],
    ['/proc/net/../root/a', '/a'],
    ['/proc/net/tcp', '/proc/self/net/tcp'],
    ['/proc/self/task/1/root/a', '/a'],
    ['/proc/self/task/1/cwd', ''],
    ['/proc/self/task/x/root', '/proc/self/task/x/root'],
    ['/proc/self/fd/1/root', '/proc/self/fd/1/root'],
    ['/proc/self/roots/a', '/proc/self/roots/a'],
    ['/x/proc/self/root/a', '/x/proc/self/root/a'],
    ['proc/self/root/a', 'proc/self/root/a'],
    ['/proc/self/root/proc/self/root/a', '/a'],
  ])('%j is %j', (text, expected) => {
    expect(normalizedPath(text)).toBe(expected)
  })

  test.each<[string, readonly (string | undefined)[]]>([
    ['/a/../b', ['/b']],
    ['/', ['/']],
    ['', ['']],
    ['..', ['..']],
    ['a/..', ['']],
    ['../../a/./', ['../../a']],
    ['C:/../a', ['C:/a']],
    ['/proc/net/../root/a', ['/proc/root/a', '/a']],
    ['/dev/fd/../x', ['/dev/x', '/proc/self/x']],
    [`/${'a/'.repeat(2_047)}b`, [`/${'a/'.repeat(2_047)}b`]],
    [`/${'a/'.repeat(2_047)}bc`, [undefined]],
    [`/${'a/../'.repeat(10_000)}b`, ['/b']],
    [`${'../'.repeat(10_000)}b`, [`${'../'.repeat(2_048)}b`]],
    [`/proc/self/root/${'x'.repeat(5_000)}/../../proc/self/root/b`, ['/proc/self/proc/self/root/b', '/b']],
    [`/dev/${'x/'.repeat(5_000)}`, [undefined, undefined]],
  ])('%j leads to %j', (path, expected) => {
    expect(resolvedPaths(path)).toEqual(expected)
  })

  test.each<[string, readonly string[]]>([
    ['/a/../b', ['/a/../b']],
    ['a\\..\\b', ['a/../b', 'a\\..\\b']],
    ['C:/a', ['C:/a', './C:/a']],
    ['\\\\?\\C:\\a', ['C:/a', '//?/C:/a', '\\\\?\\C:\\a', './C:/a']],
    ['//./x/../y', ['//./x/../y', './x/../y']],
    ['/?/a', ['/?/a']],
    ['file:///a%41?b', ['file:///a%41?b', '/a%41', '/aA', '/a%41?b']],
    ['file://host/a', ['file://host/a', '/a', 'host/a']],
    ['file:a', ['file:a', 'a', '/a']],
    ['FILE:///C|/a', ['FILE:///C|/a', '/C|/a', '/C:/a', 'C:/a', './C:/a']],
  ])('%j may denote %j', (text, expected) => {
    expect(new Set(pathForms(text))).toEqual(new Set(expected))
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
    ['\uFDFAx\uFDFB', '\uFFFDx\uFFFD'],
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

  test('so are the letters that Go and file systems take for others', () => {
    expect(['\u212A', '\u017F', 'ς', 'σ', 'ΟΔΟΣ', 'ﬁ', 'Straße'].map(folded)).toEqual([
      'k',
      's',
      'σ',
      'σ',
      'οδοσ',
      'fi',
      'strasse',
    ])
    expect(compatible('Ｐ\u200Bath')).toBe('Path')
  })
})

describe('a text is percent-decoded', () => {
  test.each([
    ['%41', 'A'],
    ['%4', '%4'],
    ['%', '%'],
    ['%zz%41', '%zzA'],
    ['%ff%2f', '\uFFFD/'],
    ['%C3%A9é%c3', 'éé\uFFFD'],
    ['%g1%1g%41', '%g1%1gA'],
    ['\uD800%41', '\uFFFDA'],
    ['100% done', '100% done'],
    ['\uD800%', '\uD800%'],
  ])('%j is %j', (text, expected) => {
    expect(percentDecoded(text)).toBe(expected)
  })

  test('up to three times, and as readers of addresses and of C see it each time', () => {
    expect([...spellingsOf('a')]).toEqual(['a'])
    expect([...spellingsOf(' a\tb ')]).toEqual([' a\tb ', 'ab'])
    expect([...spellingsOf('%2525252541')]).toEqual(['%2525252541', '%25252541', '%252541', '%2541'])
    expect([...spellingsOf('a%0Ab%00c')]).toEqual(['a%0Ab%00c', 'a\nb\0c', 'ab\0c', 'a\nb', 'ab'])
    expect([...spellingsOf('％2541')]).toEqual(['％2541', '%2541', '%41', 'A'])
    expect([...spellingsOf('\0a')]).toEqual(['\0a', 'a'])
  })

  test.each([
    ['\u0001 a\t\r\nb \u001f', 'ab'],
    [' \n', ''],
    ['a b', 'a b'],
    ['\u00a0a', '\u00a0a'],
  ])('as an address %j is %j', (text, expected) => {
    expect(asAddress(text)).toBe(expected)
  })
})

const home = homedir().toLowerCase()

describe('the readings', () => {
  test.each<[string, readonly string[]]>([
    ['a', ['a']],
    ['note:/A', ['note:/a']],
    ['https://a.test/x', ['https://a.test/x']],
    ['https://U:p@Host./x', ['https://u:p@host./x', 'https://host/x']],
    ['note:a%20B', ['note:a%20b', 'note:a b']],
    [' x ', [' x ', 'x']],
    ['file:a', ['file:a', 'file:///a']],
    ['fi\tle:///etc/../B', ['fi\tle:///etc/../b', 'file:///etc/../b', 'file:///b']],
    ['/etc/x', ['/etc/x', 'file:///etc/x']],
    ['file:///proc/net/../root/x', ['file:///proc/net/../root/x', 'file:///proc/root/x', 'file:///x']],
  ])('of the resource %j are %j', (uri, expected) => {
    expect(new Set(new Readings(uri).asAddresses)).toEqual(new Set(expected))
  })

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
    ['/proc/self/cwd/x', ['/p'], ['/proc/self/cwd/x', 'x', '/p/x']],
    ['net/../root/x', ['/proc'], ['net/../root/x', 'root/x', '/proc/root/x', '/x']],
  ])('of the path %j from %j are %j', (text, folders, expected) => {
    const places = { home: homedir(), folders }
    expect(new Set(new Readings(text).inPlaces(places))).toEqual(new Set(expected))
  })

  test.each<[string, readonly string[]]>([
    ['/etc/**', ['/etc/**', '/etc']],
    ['/**', ['/**']],
    ['~/x', ['~/x', `${home}/x`]],
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
    ['out/a／b', ['out/a／b', 'out/a/b']],
    ['FILE:///a/../b', ['FILE:/b', '/b']],
  ])('of the value %j that a rule allows are %j', (text, expected) => {
    const seen = new Set<string>()
    new Readings(text).everyPath((each) => seen.size < seen.add(each).size || true)
    expect(seen).toEqual(new Set(expected))
  })

  test('hold for an allowed path only if none is too long, and the text has at most 64', () => {
    const holds = (text: string) => new Readings(text).everyPath(() => true)
    expect(holds(`out/${'a'.repeat(4_000)}`)).toBe(true)
    expect(holds(`out/${'a'.repeat(5_000)}`)).toBe(false)
    expect(holds(`https://a.test/${'a'.repeat(5_000)}`)).toBe(false)
    expect(holds(`file:///${'a/../'.repeat(1_000)}etc/x`)).toBe(true)
    expect(new Readings('a'.repeat(100_000)).isDoubtful).toBe(false)
  })

  test('hold for a text only if what looks like its folders does', () => {
    const holds = (text: string) => new Readings(text).everySeparated((each) => each === 'a')
    expect(['a', 'b', '100%', 'x\ny', '%41'].map(holds)).toEqual([true, true, true, true, true])
    expect(['a/b', '%2f', '%255c', '／', '\\'].map(holds)).toEqual([false, false, false, false, false])
  })

  test('of a long text are the same when they are computed step by step', () => {
    const text = `fi\tle:///%2565tc/${'a/../'.repeat(10_000)}\u200Bx`
    const inSteps = new Readings(text)
    finished(inSteps.compute())
    const places = { home: '/h', folders: ['/p'] }
    expect(inSteps.inPlaces(places)).toEqual(new Readings(text).inPlaces(places))
    expect(inSteps.pathsIn(places)).toContain('/etc/x')
  })
})
