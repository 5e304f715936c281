import { withoutNuls } from './characters.ts'

/**
 * Folds differences that readers and file systems may ignore: case, Unicode composition, and invisible characters.
 */
export function folded(text: string): string {
  return withoutNuls(compatible(text)).toLowerCase()
}

/** `folded` for a path, also without the trailing dots, spaces and stream names that Windows ignores in a segment. */
export function foldedPath(path: string): string {
  return folded(path).replaceAll(/(?<=[^/.\s])(?:[. ]+|::\$data)(?=\/|$)/g, '')
}

/**
 * Folds the name of an argument: servers in Go find a field whatever its case, and take U+017F for `s` and U+212A for `k`.
 * Upper case has one sigma, lower case has two.
 */
export function foldedName(name: string): string {
  return folded(name).toUpperCase()
}

/**
 * The text in Unicode's compatibility form, without invisible characters. Two ligatures that stand for whole phrases are
 * left as they are, because a text of them would become eighteen times as long.
 */
export function compatible(text: string): string {
  if (isAscii.test(text)) return text
  const short = /[\ufdfa\ufdfb]/.test(text) ? text.replaceAll(/[\ufdfa\ufdfb]/g, '\ufffd') : text
  return short.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
}

const isAscii = /^\p{ASCII}*$/u
