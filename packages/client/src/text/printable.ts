/** Options of `printable`. */
export interface PrintableOptions {
  /** Cuts longer text and ends it with `…`. Default: no limit. */
  readonly maxLength?: number
  /** Keeps line breaks instead of replacing them by spaces. Default: false. */
  readonly keepLines?: boolean
}

/** Controls, and characters that reorder or hide text. Keeps the joiners and selectors that emoji consist of. */
const UNSEEN =
  /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu

/**
 * Removes control sequences and characters that reorder or hide text, so that untrusted text is safe to show on a terminal, in one
 * line.
 */
export function printable(text: string, { maxLength, keepLines = false }: PrintableOptions = {}): string {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/[\t\v\f\u0085\u2028\u2029]/g, ' ')
        .replaceAll(/\p{Cc}\[[0-9;?]*[ -/]*[@-~]/gu, '')
        .replaceAll(UNSEEN, ''),
    )
  const whole = lines.join(keepLines ? '\n' : ' ')
  if (maxLength === undefined || whole.length <= maxLength) return whole
  const characters = Array.from(whole)
  return characters.length <= maxLength ? whole : `${characters.slice(0, maxLength - 1).join('')}…`
}
