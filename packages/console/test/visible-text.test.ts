import { expect, test } from 'vitest'
import { visibleText } from '../src/ui/visible-text.ts'
import { createElement, jsx } from '../src/visible-jsx.ts'

test.each([
  ['pay\u202egnp.exe', 'pay⟨U+202E⟩gnp.exe'],
  ['ad\u200bmin', 'ad⟨U+200B⟩min'],
  ['a\u0000b\u001bc', 'a⟨U+0000⟩b⟨U+001B⟩c'],
  ['tag\u{e0041}', 'tag⟨U+E0041⟩'],
  ['\ufeffbom', '⟨U+FEFF⟩bom'],
  ['ad\u200dmin', 'ad⟨U+200D⟩min'],
  ['👩\u200d💻 می\u200cخواهم', '👩\u200d💻 می\u200cخواهم'],
  ['two\nlines\tand Ünïcödé 漢字 👩', 'two\nlines\tand Ünïcödé 漢字 👩'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test('elements show texts and labels without hidden characters, and send values as they are', () => {
  const made = createElement('p', { title: 'a\u202e' }, 'b\u202e', 'c')
  expect(made.props).toEqual({ title: 'a⟨U+202E⟩', children: ['b⟨U+202E⟩', 'c'] })
  const option = jsx('option', { children: 'd\u202e' })
  expect(option.props).toEqual({ value: 'd\u202e', children: 'd⟨U+202E⟩' })
})
