import { expect, test } from 'vitest'
import { type RegularExpression, regularExpressions } from './house/expressions.ts'
import { slowWord } from './house/repetitions.ts'
import { readText, repositoryFiles } from './house/repository.ts'

/** All sources but tests, which read what this repository wrote. */
const files = repositoryFiles(/\.(ts|tsx|mjs|cjs|js)$/).filter((file) => !/(^|\/)test\//.test(file))
const inFiles = files.map((file) => ({ file, ...regularExpressions(file, readText(file)) }))

/** Files that make regular expressions of a text that is known only when they run, and why none of those is slow. */
const madeAtRunTime: Readonly<Record<string, string>> = {
  'bench/run.mjs': 'is typed by the person who measures',
  'packages/bridge/src/catalog/schema/modernize.ts': 'only asks whether the pattern of a schema is valid',
  'packages/client/src/schema/safe-reg-exp.ts':
    'bounds patterns and texts by the steps that a match can take',
}

test('no regular expression takes more than linear time', () => {
  expect(inFiles.flatMap(({ found }) => found.flatMap(complaint))).toEqual([])
})

test('a regular expression is made at run time only where the reason is known', () => {
  const places = inFiles.filter(({ isMadeAtRunTime }) => isMadeAtRunTime).map(({ file }) => file)
  expect(places).toEqual(Object.keys(madeAtRunTime))
})

function complaint({ place, source, flags }: RegularExpression): readonly string[] {
  try {
    const word = slowWord({ source, flags })
    return word === undefined
      ? []
      : [`${place} /${source}/${flags} is slow where ${JSON.stringify(word)} is repeated`]
  } catch (error) {
    return [`${place} /${source}/${flags} cannot be judged: ${String(error)}`]
  }
}

test.each([
  /\s+$/,
  /.*x/,
  /\s*\n\s*/g,
  /\$\{[^}]*\}/,
  /"(?:[^"\\]|\\.)*"/y,
  /^\s*(.+)\s*$/,
  /^[^=]*?\s*=/,
  /^\[(.*)\](?:\s+#.*)?$/,
  /^(?:a+)+$/,
  /^(?:a|ba+)+$/,
  /^(?:\w+\s?)*$/,
  /^(?:a+){2}$/,
  /^a{0,200}a{0,200}$/,
  /\bdo not\b(?!.*\bbut\b)/i,
  /^\s*\[/m,
])('%s is found to be slow', ({ source, flags }) => {
  expect(slowWord({ source, flags })).toBeDefined()
})

test.each([
  /\s+/g,
  /^\s*(\S+)\s*$/,
  /"[^"]*"/g,
  /\b\w+@/,
  /(?<=^|[;,\s])a+b/,
  /^.*x/,
  /x.*/,
  /^a+b+c+$/,
  /^(?:a+b){2}$/,
  /^(?:[^"\\]|\\.)*$/,
  /\n[ \t]*x/,
  /^a{0,50}a{0,50}$/,
  /^\[.*\]$/m,
])('%s is found to take linear time', ({ source, flags }) => {
  expect(slowWord({ source, flags })).toBeUndefined()
})

test('a reference to a group cannot be judged', () => {
  expect(() => slowWord(/^(.+)\1$/)).toThrow('Backreferences are not supported')
})

test('expressions are found wherever they are written', () => {
  const text = String.raw`
    const one = /a\/[/]/g.test('/no/') ? 1 / 2 / 3 : <T,>(of: T) => of
    const two = new RegExp('b', 'i'), three = RegExp(String.raw${'`\\s${two}`'}), four = new RegExp(${'`c${two}\\\\d`'})
  `
  const { found, isMadeAtRunTime } = regularExpressions('file.ts', text)
  expect(found.map(({ source, flags }) => [source, flags])).toEqual([
    [String.raw`a\/[/]`, 'g'],
    ['b', 'i'],
    [String.raw`\sx`, ''],
    [String.raw`cx\d`, ''],
  ])
  expect(isMadeAtRunTime).toBe(false)
  expect(regularExpressions('file.ts', 'new RegExp(text)').isMadeAtRunTime).toBe(true)
})
