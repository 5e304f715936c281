/**
 * The words of a text, in lower case: `readFile`, `read_file` and `read-file` all hold `read` and `file`. Scripts without
 * blanks between words give one word for each character, and one for each two.
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const [run] of text.matchAll(runs)) {
    for (const word of withoutBlanks.test(run) ? pieces(run) : [stem(run.toLowerCase())]) words.push(word)
  }
  return words
}

const runs = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lo}+|\p{N}+|\p{Lu}/gu
const withoutBlanks = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

function pieces(run: string): readonly string[] {
  const characters = Array.from(run)
  return characters.flatMap((character, index) => {
    const next = characters[index + 1]
    return next === undefined ? [character] : [character, character + next]
  })
}

/** Enough for "files" to find "file"; both sides are cut alike, so what is left need not be a word. */
function stem(word: string): string {
  if (word.length < 4) return word
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
}
