/**
 * Truncates a text to a number of characters, at the end of a sentence or at least of a word, with an ellipsis.
 */
export function withinBudget(text: string, budget: number): string {
  if (text.length <= budget) return text
  const room = Math.max(0, budget - 1)
  const beginning = text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')
  const sentence = beginning.search(/[.!?。][^.!?。]*$/) + 1
  if (sentence > room / 2) return `${beginning.slice(0, sentence)}…`
  const word = beginning.search(/\s\S*$/)
  return `${beginning.slice(0, word > room / 2 ? word : beginning.length).trimEnd()}…`
}
