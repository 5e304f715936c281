/**
 * Text of a server or a tool made safe to show on a terminal: control sequences and invisible characters that reorder
 * text are taken out, and what is too long is cut. Line ends and tabs become blanks unless `lines` are kept.
 */
export function printable(
  text: string,
  options: { readonly maxLength?: number; readonly keepLines?: boolean } = {},
): string {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) =>
      line
        .replaceAll('\t', ' ')
        .replaceAll(/\p{Cc}\[[0-9;?]*[ -/]*[@-~]/gu, '')
        .replaceAll(/[\p{Cc}\p{Surrogate}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, ''),
    )
  const characters = Array.from(lines.join(options.keepLines === true ? '\n' : ' '))
  const { maxLength = characters.length } = options
  if (characters.length <= maxLength) return characters.join('')
  return `${characters.slice(0, maxLength - 1).join('')}…`
}
