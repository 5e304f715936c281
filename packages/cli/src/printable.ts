import { printable as printableText } from '@toolbridge/client/internal'

/** Removes from a server's text what could move the cursor, change colors or hide other text. Keeps line breaks. */
export function printable(text: string): string {
  return printableText(text, { keepLines: true })
}
