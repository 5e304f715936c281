/**
 * The beginning of a text that keeps within a number of characters, ended where a sentence or at least a word ends, with
 * an ellipsis in place of the rest.
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
