import { withoutNuls } from './characters.ts'

/**
 * Folds differences that readers and file systems may ignore: case, Unicode composition, and invisible characters.
 */
export function folded(text: string): string {
  const plain = withoutNuls(compatible(text))
  // Upper case first, because lower case has two forms of sigma, and a letter that upper case writes as two.
  return isAscii.test(plain) ? plain.toLowerCase() : plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** `folded` for a path, also without the trailing dots, spaces and stream names that Windows ignores in a segment. */
export function foldedPath(path: string): string {
  return folded(path).replaceAll(/(?<=[^/.\s])(?:[. ]+|::\$data)(?=\/|$)/g, '')
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
