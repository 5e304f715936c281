import { Buffer } from 'node:buffer'
import { asAddress } from '../readings/spellings.ts'
import { folded } from '../readings/folding.ts'

/** The folder of Toolbridge's own files. */
export const toolbridgeFolder = '.toolbridge'

/**
 * A cheap test that rules out most texts that are not paths. It runs on every call, where the full check would cost more
 * than the rest of the decision. `more`: further control files, with `*`.
 */
export function pathPrefilter(more: readonly string[]): (text: string) => boolean {
  const isUsual = more.map(foldedGlob).every((place) => place.includes('/') || hasExtension(needleOf(place)))
  return isUsual ? mayBePath : () => true
}

/** Not one regular expression: searching for single characters is many times faster in long texts. */
function mayBePath(text: string): boolean {
  return (
    isPathLike(text) ||
    text.includes('%') ||
    text.includes('\0') ||
    hasHiddenExtension(text) ||
    (!isAscii(text) && hasFoldedCharacters(text))
  )
}

/** Returns whether `folded` changes only the case of a text. */
export function isPlain(text: string): boolean {
  return isAscii(text) && !text.includes('\0')
}

/** Many times faster than a regular expression. */
function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/**
 * Returns whether a text has characters that `folded` may remove or replace with others in ASCII. Letters that it keeps are
 * listed: with accents, Cyrillic, Japanese, Chinese and Korean ones.
 */
export function hasFoldedCharacters(text: string): boolean {
  return /[^\0-\x7f\u00c0-\u00de\u00e0-\u00ff\u0410-\u044f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/.test(
    text,
  )
}

/** Returns whether a text is more than a name without an extension. */
export function isPathLike(text: string): boolean {
  return text.includes('/') || text.includes('\\') || hasExtension(text)
}

/** Returns whether a letter follows a dot. */
function hasExtension(text: string): boolean {
  for (let dot = text.indexOf('.'); dot !== -1; dot = text.indexOf('.', dot + 1))
    if (isLetter(text.charCodeAt(dot + 1))) return true
  return false
}

/** Returns whether a letter follows a dot where the parser of addresses reads the text, which skips some controls. */
function hasHiddenExtension(text: string): boolean {
  return /\.[\t\r\n]/.test(text) && hasExtension(asAddress(text))
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
}

/** The last literal part of a glob. */
export function needleOf(place: string): string {
  return place.split(/[/*]/).findLast((part) => part !== '') ?? ''
}

/** A glob in the form of the paths that it is compared with. */
export function foldedGlob(glob: string): string {
  return folded(glob.replaceAll('\\', '/'))
}
