import { resolved } from './linux-path.ts'
import type { Reading } from './read-arguments.ts'

/**
 * Looks names up as Go's `encoding/json` does, in any case and with the letters of simple folding, in the Unicode form of
 * Python's identifiers; takes words for flags and numbers as pydantic, Go's `strconv` and YAML do; and opens files in a
 * case-insensitive file system, where also the Unicode form, invisible characters and a dot at the end of a name are ignored.
 */
export const foldingServer: Reading = { nameOf: folded, placeOf, wordOf, flagOf, numberOf }

/** Each character in lower case after upper case, so that the Kelvin sign is a k, a long s an s and a final sigma a sigma. */
function folded(text: string): string {
  const visible = text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  return Array.from(visible, (each) => each.toUpperCase().toLowerCase()).join('')
}

function placeOf(text: string): string {
  const plain = folded(text).trim().replaceAll('\\', '/')
  const [, host, rest] = /^https?:\/\/([^/]*)(.*)$/s.exec(plain) ?? []
  if (host !== undefined && rest !== undefined) return `https://${host}${resolved(rest)}`
  const path = /^file:(?:\/\/[^/]*)?([^?#]*)/s.exec(plain)?.[1] ?? plain
  return resolved(path.replaceAll(/(?<=[^/. ])[. ]+(?=\/|$)/g, ''))
}

function wordOf(value: unknown): string | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isScalar ? folded(String(value)).trim() : undefined
}

function flagOf(value: unknown): boolean | undefined {
  const word = wordOf(value) ?? ''
  if (/^(?:true|t|yes|y|on|1)$/.test(word)) return true
  return /^(?:false|f|no|n|off|0)$/.test(word) ? false : undefined
}

function numberOf(value: unknown): number | undefined {
  const word = (wordOf(value) ?? '').replaceAll(/(?<=\d)_(?=\d)/g, '')
  const number = word === 'true' || word === 'false' ? Number(word === 'true') : Number(word)
  return word === '' || Number.isNaN(number) ? undefined : number
}
