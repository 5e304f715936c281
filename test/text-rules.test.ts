import { expect, test } from 'vitest'
import { readText, repositoryFiles } from './house/repository.ts'

const sources = repositoryFiles(/^packages\/(?!testkit\/)\w+\/src\/.*\.tsx?$/)

/** What a pattern finds in the sources, with its file, where its groups are wrong. */
function found(pattern: RegExp, isWrong: (text: string, ...groups: string[]) => boolean): readonly string[] {
  return sources.flatMap((file) => {
    const text = readText(file)
    const matches = [...text.matchAll(pattern)].filter(([, ...groups]) => isWrong(text, ...groups))
    return matches.map(([whole]) => `${file}: ${whole}`)
  })
}

test('no path is compared with the beginning of another without the separator behind it, advisory [H3]', () => {
  const paths = /path|file|folder|dir|root|home|cwd|location/i
  const wrong = found(/([\w.$`{}/]+)\.startsWith\(([^()]+)\)/g, (_text, whole = '', beginning = '') => {
    const isSeparated = /\/[`']$|\bsep\b|^['`]/.test(beginning)
    return !isSeparated && (paths.test(whole) || paths.test(beginning))
  })
  expect(wrong).toEqual([])
})

/** A regular expression or a text, which `replace` has as its first argument, or any word for `replaceAll`. */
const searched = String.raw`\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*|'(?:[^'\\\n]|\\.)*'`

test('no value is put in place of a text as a pattern, in which $& would be replaced again, advisory [C5]', () => {
  const calls = new RegExp(
    String.raw`\.(?:replace\((?:${searched})|replaceAll\((?:${searched}|\w+)), ((?!String\.raw)[A-Za-z_][\w.]*)(?! =>)\b|\.replace(?:All)?\((?:${searched}), (${'`'}[^${'`'}]*\$\{)`,
    'g',
  )
  const wrong = found(calls, (text, name = '') => {
    const isFunction = new RegExp(String.raw`\bfunction ${name}\(|\bconst ${name}\b.* =>`).test(text)
    return !isFunction && !withoutPatterns.has(name)
  })
  expect(wrong).toEqual([])
})

/** Values that are one of a few texts. */
const withoutPatterns = new Set(['lineEndOf', 'quote', 'apostrophe'])
