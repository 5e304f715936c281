/** More than two lines of a list show. */
const maxLength = 300

/** The first paragraph of a Markdown text for a list, without its marks. */
export function summaryText(markdown: string): string {
  const lines = markdown.slice(0, maxSearched).trim().split('\n')
  const blank = lines.findIndex((line) => line.trim() === '')
  const paragraph = lines.slice(0, blank === -1 ? lines.length : blank).join('\n')
  const text = paragraph.replace(/^#+\s+/, '').replaceAll(marked, '$1$2$3')
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Bold, emphasized, or code. */
const marked = /\*\*(?=\S)([^*`]+)(?<=\S)\*\*|\*(?=\S)([^*`]+)(?<=\S)\*|`(?=\S)([^*`]+)(?<=\S)`/g

/** So that a paragraph of a mebibyte is not searched for marks. */
const maxSearched = 2_000
