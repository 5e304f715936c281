import { compatible } from './folding.ts'

/** What servers take for a truth value: pydantic, the YAML of 2005, and Go's `strconv`. */
const wordsFor: Readonly<Record<'true' | 'false', readonly string[]>> = {
  true: ['true', 't', 'yes', 'y', 'on'],
  false: ['false', 'f', 'no', 'n', 'off'],
}

/** Returns whether a server may take a scalar for the wanted one, which is not a text. */
export function means(given: unknown, wanted: unknown): boolean {
  const text = compatible(String(given)).trim().toLowerCase()
  if (text === String(wanted)) return true
  if (typeof wanted === 'number') return numberIn(text) === wanted
  if (typeof wanted === 'boolean')
    return wordsFor[`${wanted}`].includes(text) || numberIn(text) === Number(wanted)
  return wanted === null && ['none', 'nil'].includes(text)
}

/** The number that a text spells; that of a truth value is 1 or 0. Undefined if there is none. */
function numberIn(text: string): number | undefined {
  if (text === 'true' || text === 'false') return text === 'true' ? 1 : 0
  const [, sign = '', digits = ''] = /^([+-]?)([0-9a-z._+-]+)$/.exec(text) ?? []
  if (digits === '') return undefined
  const number = Number(digits.includes('_') ? digits.replaceAll(/(?<=[0-9a-f])_(?=[0-9a-f])/g, '') : digits)
  if (Number.isNaN(number)) return undefined
  return sign === '-' ? -number : number
}

/** The scalar that a word of a rule stands for: `true`, `5` or `null`. Undefined for other texts. */
export function scalarIn(word: string): boolean | number | null | undefined {
  const text = word.trim().toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}
