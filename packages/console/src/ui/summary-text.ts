/** More than two lines of a list show. */
const maxLength = 300

/** The first paragraph of a Markdown text for a list, without its marks. */
export function summaryText(markdown: string): string {
  const [paragraph = ''] = markdown
    .slice(0, maxSearched)
    .trim()
    .split(/\n\s*\n/)
  const text = paragraph.replace(/^#+\s+/, '').replace(/(\*\*|\*|`)(\S|\S[^*`]*\S)\1/g, '$2')
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** So that a paragraph of a mebibyte is not searched for marks. */
const maxSearched = 2_000
