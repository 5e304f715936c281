import { expect, test } from 'vitest'
import { expand, variablesOf } from '../src/resources/uri-template.ts'

const values = { var: 'value', path: '/foo/bar', x: '1024', y: '768', empty: '', hello: 'Hello World!' }

test.each([
  ['file:///{var}.txt', 'file:///value.txt'],
  ['{x,y}', '1024,768'],
  ['{hello}', 'Hello%20World!'],
  ['{path}', '%2Ffoo%2Fbar'],
  ['{+path}/here', '/foo/bar/here'],
  ['X{#path}', 'X#/foo/bar'],
  ['X{.x,y}', 'X.1024.768'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{;x,y}', ';x=1024;y=768'],
  ['{?x,y,missing}', '?x=1024&y=768'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['a{?missing,empty}b{constructor}', 'ab'],
  ['{var:3}{/x*}', 'value/1024'],
  ['{unclosed', '{unclosed'],
  ['{}', ''],
])('%s becomes %s', (template, uri) => {
  expect(expand(template, values)).toBe(uri)
})

test('variables are named once, in order', () => {
  expect(variablesOf('{b}/{+a,b}{?c*,d:3}')).toEqual(['b', 'a', 'c', 'd'])
})

test.each([
  'a/../b',
  '../b',
  'a?b=c',
  'a#b',
  'a&b=c',
  'a;b=c',
  'a,b',
  '{x}',
  'a b',
  'a\r\nb',
  '%2f',
  'a\\b',
  'é',
  '"<>',
])(
  'the value %j of a variable stays in its place of the URI, and is read as it was given, advisory [D3]',
  (value) => {
    for (const [template, start, end] of [
      ['http://x.example/a/{v}/b', 'http://x.example/a/', '/b'],
      ['http://x.example{/v}/b', 'http://x.example/', '/b'],
      ['http://x.example{?v}#b', 'http://x.example?v=', '#b'],
      ['http://x.example?a=1{&v}', 'http://x.example?a=1&v=', ''],
      ['http://x.example{;v}/b', 'http://x.example;v=', '/b'],
      ['http://x.example/a{.v}', 'http://x.example/a.', ''],
    ] as const) {
      const uri = expand(template, { v: value, x: 'other' })
      expect([uri.startsWith(start), uri.endsWith(end)]).toEqual([true, true])
      const written = uri.slice(start.length, uri.length - end.length)
      expect(written).toMatch(/^[\w.%!~*'()-]*$/)
      expect(decodeURIComponent(written)).toBe(value)
    }
  },
)

test('a template that lets a value be part of an address never gets spaces, line breaks or other scripts from it, advisory [D3]', () => {
  for (const template of ['{+v}', '{#v}'])
    expect(expand(template, { v: 'a b\r\nc é"<>\\{x}' })).toMatch(/^#?[!-~]+$/)
})
