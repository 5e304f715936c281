/**
 * The words of a text in lower case: `readFile`, `read_file` and `read-file` all contain `read` and `file`. Scripts without
 * spaces yield one word per character and per pair of characters.
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const [run] of text.matchAll(runs)) {
    for (const word of withoutBlanks.test(run) ? pieces(run) : [stem(run.toLowerCase())]) words.push(word)
  }
  return words
}

const runs = /(?:\p{Lu}(?!\p{Ll}))+|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lo}+|\p{N}+|\p{Lu}/gu
const withoutBlanks = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

function pieces(run: string): readonly string[] {
  const characters = Array.from(run)
  return characters.flatMap((character, index) => {
    const next = characters[index + 1]
    return next === undefined ? [character] : [character, character + next]
  })
}

/** A simple stemmer that lets "files" find "file"; queries and tools are stemmed alike. */
function stem(word: string): string {
  if (word.length < 4) return word
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
}
