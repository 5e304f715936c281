/**
 * Estimates the number of tokens of a text, independent of the model: one per six Latin letters of a word, three digits,
 * two punctuation marks or one other letter. Real tokenizers differ from it, and from each other, by about a third.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [run] of text.matchAll(runs)) tokens += costOf(run)
  return tokens
}

const runs = /[A-Za-z]+|\d+|\n+|[\p{L}\p{M}]+|[\p{So}\p{Sk}]|[^\sA-Za-z\d\p{L}\p{M}\p{So}\p{Sk}]+/gu

function costOf(run: string): number {
  if (/^[A-Za-z]/.test(run)) return Math.ceil(run.length / 6)
  if (/^\d/.test(run)) return Math.ceil(run.length / 3)
  if (run.startsWith('\n')) return 1
  if (/^\p{So}/u.test(run)) return 2
  return /^[\p{L}\p{M}]/u.test(run) ? run.length : Math.ceil(run.length / 2)
}
