/**
 * The kinds of input: each makes a text of about as many characters as are asked for, the same text for the same number. What
 * repeats has something else at both ends, so that nothing removes it by looking at the ends only.
 */

/** @type {Readonly<Record<string, (length: number) => string>>} */
export const kinds = {
  random,
  repeated: repeating('a'),
  'nested arrays': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'nested objects': nestedObjects,
  'nested parentheses': (length) => `x${'('.repeat(length / 2)}${')'.repeat(length / 2)}x`,
  'empty objects': (length) => `[${'{},'.repeat((length - 4) / 3)}{}]`,
  separators: repeating('x,'),
  fields: repeating('a: b\n'),
  lines: repeating('\n'),
  CR: repeating('\r'),
  'CR LF': repeating('\r\n'),
  'U+2028': repeating('\u2028'),
  spaces: repeating(' '),
  tabs: repeating('\t'),
  words: repeating('a '),
  quotes: repeating('"'),
  apostrophes: repeating("'"),
  backslashes: repeating('\\'),
  percent: repeating('%'),
  'percent sequences': repeating('%25'),
  stars: repeating('*a'),
  'dots and slashes': repeating('a/../'),
  slashes: repeating('/'),
  variables: repeating('${A}'),
  'open variables': repeating('${'),
  tags: repeating('<a '),
  dashes: repeating('-'),
  underscores: repeating('_'),
  hashes: repeating('#'),
  backticks: repeating('`'),
  'wide letters': repeating('Ａ'),
  marks: repeating('\u0301'),
  digits: repeating('1'),
}

/**
 * The same text between two letters.
 *
 * @param {string} unit
 * @returns {(length: number) => string}
 */
function repeating(unit) {
  return (length) => `x${unit.repeat(Math.max(0, Math.floor((length - 2) / unit.length)))}x`
}

/** @param {number} length */
function nestedObjects(length) {
  const depth = Math.floor(length / 6)
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

const alphabet = ' abcdeXYZ0189_-.,:;/\\*?%$@#&=+|<>()[]{}"\'`!~\n\t\rüß中'

/** The longest that was made. */
let randomText = ''

/** @param {number} length */
function random(length) {
  if (randomText.length < length) randomText = madeRandom(length)
  return randomText.slice(0, length)
}

/** @param {number} length */
function madeRandom(length) {
  let seed = 1
  const parts = []
  for (let made = 0; made < length; made += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    parts.push(alphabet[(seed >>> 16) % alphabet.length])
  }
  return parts.join('')
}
