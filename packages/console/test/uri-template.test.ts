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
