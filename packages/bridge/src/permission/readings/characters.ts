import { Buffer } from 'node:buffer'

/** Replaces UTF-16 units of a text, or leaves them out: a text of many such units would be as many pieces otherwise. */
function withUnits(text: string, replacementOf: (unit: number) => number | undefined): string {
  const units = new Uint16Array(text.length)
  let length = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = replacementOf(text.charCodeAt(index))
    if (unit !== undefined) units[length++] = unit
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}

/** Replaces `\` by `/`. */
export function withSlashes(text: string): string {
  return text.includes('\\') ? withUnits(text, (unit) => (unit === 0x5c ? 0x2f : unit)) : text
}

/** Removes tabs and line breaks. */
export function withoutBreaks(text: string): string {
  return /[\t\r\n]/.test(text) ? withUnits(text, (unit) => (isBreak(unit) ? undefined : unit)) : text
}

function isBreak(unit: number): boolean {
  return unit === 0x09 || unit === 0x0a || unit === 0x0d
}

/** Removes NULs. */
export function withoutNuls(text: string): string {
  return text.includes('\0') ? withUnits(text, (unit) => (unit === 0 ? undefined : unit)) : text
}
