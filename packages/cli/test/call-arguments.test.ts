import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Workplace, workplace } from './workshop.ts'

let place: Workplace
beforeAll(() => {
  place = workplace()
})
afterAll(() => place.remove())

async function sent(...words: readonly string[]): Promise<unknown> {
  const { stdout, stderr } = await place.run(['call', 'workshop.echo', ...words])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

async function refused(...words: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await place.run(['call', 'workshop.echo', ...words])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  return stderr.split('\n')
}

test('arguments get the types of the schema, lists by repetition, objects by paths', async () => {
  const words = ['text=12', 'count=3', 'ratio=0.5', 'loud=true', 'mode=3', 'tags=a', 'tags=true', 'ids=7']
  const others = [
    'filter.field=x',
    'filter.limit=2',
    'filter.and.field=y',
    'note=null',
    'dotted.name=z',
    'raw=5',
  ]
  expect(await sent(...words, ...others)).toEqual({
    text: '12',
    count: 3,
    ratio: 0.5,
    loud: true,
    mode: 3,
    tags: ['a', 'true'],
    ids: [7],
    filter: { field: 'x', limit: 2, and: { field: 'y' } },
    note: null,
    'dotted.name': 'z',
    raw: '5',
  })
})

test('JSON comes as a word, an option, a file or the standard input, and pairs take precedence', async () => {
  writeFileSync(join(place.path, 'args.json'), '{"text":"from a file","count":1}')
  writeFileSync(join(place.path, 'note.txt'), 'two\nlines\n')
  expect(await sent('{"text":"json"}', 'count=4')).toEqual({ text: 'json', count: 4 })
  expect(await sent('--json', '{"text":"json"}', 'tags=["a","b"]')).toEqual({
    text: 'json',
    tags: ['a', 'b'],
  })
  expect(await sent('@args.json', 'count=2')).toEqual({ text: 'from a file', count: 2 })
  expect(await sent('text=@note.txt', 'note=@@ada')).toEqual({ text: 'two\nlines\n', note: '@ada' })
  for (const [word, input] of [
    ['-', '{"text":"typed"}'],
    ['text=@-', 'typed'],
  ] as const) {
    const { stdout } = await place.run(['call', 'workshop__echo', word], { input })
    expect(JSON.parse(stdout)).toEqual({ text: 'typed' })
  }
})

test('every invalid argument has a line of its own, and nothing is sent', async () => {
  const words = [
    'count=many',
    'ratio=x',
    'loud=yes',
    'mode=medium',
    'ids=a',
    'tagz=a',
    'filter.feild=x',
    'loud=no',
  ]
  expect(await refused(...words)).toEqual([
    'toolbridge: invalid arguments for workshop__echo:',
    '  count: must be an integer, not "many"',
    '  ratio: must be a number, not "x"',
    '  loud: is given more than once, and is not a list',
    '  mode: must be one of "fast", "slow", 3, not "medium"',
    '  ids: must be an integer, not "a"',
    '  tagz: unknown argument; did you mean "tags"?',
    '  filter.feild: unknown argument; did you mean "field"?',
    '  text: missing (string)',
    expect.stringMatching(/^Expected: workshop__echo\(text: string, count\?: integer = 2, /),
    '',
  ])
})

test('limits of the schema are checked before anything is sent', async () => {
  const lines = await refused('{"text":"a","count":9,"filter":{"limit":"x"}}')
  expect(lines.slice(1, 5)).toEqual([
    '  text: must have at least 2 characters',
    '  count: must be <= 5',
    '  filter.limit: must be integer',
    "  filter: must have required property 'field'",
  ])
})

test.each([
  [['text=ab', 'txt=c'], 'txt: unknown argument; did you mean "text"?'],
  [['{"text":"ab","txt":1}'], 'txt: unknown argument; did you mean "text"?'],
  [['text=ab', 'count=12345678901234567890'], 'count: 12345678901234567890 is too large'],
  [['text=ab', 'tags=["a"'], 'tags: must be a list; the JSON cannot be read'],
  [['ab'], 'invalid argument "ab": expected name=value'],
  [['{"text":'], 'invalid JSON arguments'],
  [['[1]'], 'invalid argument "[1]"'],
  [['{"text":"ab"}', '@other.json'], 'the arguments are given twice'],
  [['@nowhere.json'], 'cannot read "nowhere.json": there is no such file.'],
  [['text=@ada'], 'there is no such file. For the text "@ada", write text=@@ada'],
  [['-', 'text=@-'], 'the standard input can be read only once'],
])('%j is a usage error', async (words, message) => {
  expect((await refused(...words)).join('\n')).toContain(message)
})

test('unknown arguments pass where the schema permits them, and with --allow-unknown', async () => {
  const open = await place.run(['call', 'open', 'text=ab', 'more=1'])
  expect(JSON.parse(open.stdout)).toEqual({ text: 'ab', more: '1' })
  expect(await sent('text=ab', 'txt=c', '--allow-unknown')).toEqual({ text: 'ab', txt: 'c' })
})
