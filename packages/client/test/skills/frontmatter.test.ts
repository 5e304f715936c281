import { expect, test } from 'vitest'
import { parseSkillDocument } from '../../src/skills/frontmatter.ts'

test.each([
  ['plain texts', 'name: pdf-tools\ndescription: Does it: no, it does not', undefined],
  ['texts with a colon inside a word', 'url: https://example.com/a#b', { url: 'https://example.com/a#b' }],
  ['comments', '# first\nname: a # last\n\n  # between\ndescription: b', { name: 'a', description: 'b' }],
  ['numbers, booleans and nothing', 'a: 1\nb: -1.5\nc: true\nd: ~\ne:\nf: 1e3', numbers()],
  ['texts that look like something else', 'a: "1"\nb: \'true\'\nc: 1.2.3', { a: '1', b: 'true', c: '1.2.3' }],
  ['quoted texts', 'a: "x \\"y\\" \\u00e9: z"\nb: \'it\'\'s # fine\'', { a: 'x "y" é: z', b: "it's # fine" }],
  ['lists in brackets', 'a: [x, "y, z", 3, ]\nb: []', { a: ['x', 'y, z', 3], b: [] }],
  ['lists below their key', 'a:\n  - x\n  - "y"\nb:\n- 1\nc: d', { a: ['x', 'y'], b: [1], c: 'd' }],
  ['nested keys', 'a:\n  b:\n    c: d\n  e: f\ng: h', { a: { b: { c: 'd' }, e: 'f' }, g: 'h' }],
  ['texts over several lines', 'a: |\n  x\n   y\n\n  z\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n', blocks()],
  ['quoted keys', '"a b": c\n\'d\': e', { 'a b': 'c', d: 'e' }],
  ['line ends of Windows', 'a: b\r\nc:\r\n  - d', { a: 'b', c: ['d'] }],
  ['nothing', '', {}],
])('%s', (_, yaml, expected) => {
  if (expected === undefined) expect(() => parse(yaml)).toThrow(/cannot be compared/)
  else expect(parse(yaml)).toEqual(expected)
})

test.each([
  ['an anchor', 'a: &x b'],
  ['an alias', 'a: *x'],
  ['a tag', 'a: !!str b'],
  ['braces', 'a: {b: c}'],
  ['a plain text over several lines', 'a: b\n  c'],
  ['a key that occurs twice', 'a: b\na: c'],
  ['tabs', 'a:\n\tb: c'],
  ['a list of keys', 'a:\n  - b: c'],
  ['a list in a list', 'a: [[b]]'],
  ['an open bracket', 'a: [b'],
  ['a comment within brackets', 'a: ["b" #c]'],
  ['an open quote', 'a: "b'],
  ['an escape that JSON does not have', 'a: "\\x41"'],
  ['a complex key', '? a\n: b'],
  ['a merge key', '<<: a'],
  ['infinity', 'a: .inf'],
  ['a hexadecimal number', 'a: 0x1F'],
  ['an indentation of its own', 'a: b\n c: d'],
  ['a text without a key', 'just words'],
  ['a folded text with indented lines', 'a: >\n  b\n    c'],
])('%s is refused', (_, yaml) => {
  expect(() => parse(yaml)).toThrow(/cannot be compared/)
})

test('the body is what follows, untouched', () => {
  expect(parseSkillDocument('---\na: b\n---\n\n# Title\n---\nmore\n')).toEqual({
    frontmatter: { a: 'b' },
    body: '\n# Title\n---\nmore\n',
  })
})

test('a file without frontmatter has none to compare', () => {
  expect(() => parseSkillDocument('# Title\n---\na: b\n---\n')).toThrow(/does not start with frontmatter/)
  expect(() => parseSkillDocument('---\na: b\n')).toThrow(/does not start with frontmatter/)
})

function parse(yaml: string): unknown {
  return parseSkillDocument(`---\n${yaml}\n---\nbody\n`).frontmatter
}

function numbers(): object {
  return { a: 1, b: -1.5, c: true, d: null, e: null, f: 1_000 }
}

function blocks(): object {
  return { a: 'x\n y\n\nz\n', b: 'x y\nz', c: 'x\n\n' }
}
