import { CommandLineError } from './command-line-error.ts'

/** The parser of a host's command takes quadratic time. */
const maxWords = 5_000

/**
 * Splits a command line into words as a POSIX shell does: quotes group, and a backslash escapes the next character, except on
 * Windows, where it separates folders. Nothing is expanded, and no shell runs the command, so operators of a shell are refused
 * with a `CommandLineError`.
 */
export function commandWords(line: string, platform: string = process.platform): readonly string[] {
  const words: string[] = []
  let rest = line.trimStart()
  while (rest !== '') {
    const { word, written } = firstWord(rest, platform !== 'win32')
    if (word === written && operators.test(word)) throw operatorError(word)
    words.push(word)
    if (words.length > maxWords) throw new CommandLineError(`more than ${maxWords} words cannot be read`)
    rest = rest.slice(written.length).trimStart()
  }
  return words
}

/** The first word, and how it is written. */
function firstWord(text: string, hasEscapes: boolean): { readonly word: string; readonly written: string } {
  let word = ''
  let end = 0
  while (end < text.length && !/\s/.test(text.charAt(end))) {
    const part = partAt(text.slice(end), hasEscapes)
    word += part.value
    end += part.length
  }
  return { word, written: text.slice(0, end) }
}

/** A quoted part, an escaped character, or a plain one. */
function partAt(text: string, hasEscapes: boolean): { readonly value: string; readonly length: number } {
  const first = text.charAt(0)
  if (first === '"' || first === "'") return quotedPart(text, first, hasEscapes)
  if (first !== '\\' || !hasEscapes) return { value: first, length: 1 }
  if (text.length === 1) throw new CommandLineError('nothing follows the last backslash')
  return { value: text.charAt(1), length: 2 }
}

/** In double quotes a backslash escapes a quote and itself; in single quotes it is plain. */
function quotedPart(
  text: string,
  quote: '"' | "'",
  hasEscapes: boolean,
): { readonly value: string; readonly length: number } {
  const pattern =
    quote === '"' && hasEscapes ? /^"((?:[^"\\]|\\[^])*)"/ : quote === '"' ? /^"([^"]*)"/ : /^'([^']*)'/
  const [whole, inner = ''] = pattern.exec(text) ?? []
  if (whole === undefined) throw new CommandLineError(`a quote (${quote}) is not closed`)
  const isPlain = quote === "'" || !hasEscapes
  return { value: isPlain ? inner : inner.replaceAll(/\\(["\\$`])/g, '$1'), length: whole.length }
}

const operators = /^(?:\|\|?|&&?|;|\d?>>?(?:&\d)?|<)$/

function operatorError(word: string): CommandLineError {
  return new CommandLineError(
    `no shell runs the command, so ${word} has no effect. Quote it to pass it on, or use: sh -c '…'`,
  )
}
