/** Options of `printable`. */
export interface PrintableOptions {
  /** Cuts longer text and ends it with `…`. Default: no limit. */
  readonly maxLength?: number
  /** Keeps line breaks instead of replacing them by spaces. Default: false. */
  readonly keepLines?: boolean
}

/** Removes control sequences and characters that reorder text, so that untrusted text is safe to show on a terminal. */
export function printable(text: string, { maxLength, keepLines = false }: PrintableOptions = {}): string {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) =>
      line
        .replaceAll('\t', ' ')
        .replaceAll(/\p{Cc}\[[0-9;?]*[ -/]*[@-~]/gu, '')
        .replaceAll(/[\p{Cc}\p{Surrogate}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, ''),
    )
  const whole = lines.join(keepLines ? '\n' : ' ')
  if (maxLength === undefined || whole.length <= maxLength) return whole
  const characters = Array.from(whole)
  return characters.length <= maxLength ? whole : `${characters.slice(0, maxLength - 1).join('')}…`
}
