import { Buffer } from 'node:buffer'
import { withoutBreaks } from './characters.ts'
import { compatible } from './folding.ts'

/** How often a text may be percent-decoded on its way to a file: by a proxy, a server and a library. */
const maxRounds = 3

/**
 * The texts that a reader may see in a text: percent-decoded up to three times, each as it is, as an address, and up to its
 * first NUL; and as the most lenient reader sees it, who also ignores Unicode's variants before each decoding.
 */
export function* spellingsOf(text: string): Generator<string> {
  const found = new Set<string>()
  let written = text
  let lenient = asAddress(compatible(text))
  for (let round = 0; ; round += 1) {
    for (const spelling of [written, asAddress(written), beforeNul(written), lenient, beforeNul(lenient)]) {
      if (found.size === found.add(spelling).size) continue
      yield spelling
    }
    const next = percentDecoded(written)
    const nextLenient = asAddress(compatible(percentDecoded(lenient)))
    if (round === maxRounds || (next === written && nextLenient === lenient)) return
    written = next
    lenient = nextLenient
  }
}

/** The texts that a reader may see who distinguishes Unicode's variants. */
export function writtenSpellings(text: string): readonly string[] {
  return decodings(text).flatMap((each) => [each, asAddress(each), beforeNul(each)])
}

/** The text, and what it becomes when it is percent-decoded up to three times. */
export function decodings(text: string): readonly string[] {
  const found = [text]
  for (let next = percentDecoded(text); found.length <= maxRounds && next !== found.at(-1); ) {
    found.push(next)
    next = percentDecoded(next)
  }
  return found
}

/** A text as the parser of addresses reads it: without tabs, line breaks, and controls and spaces around it. */
export function asAddress(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isControlOrSpace(text, start)) start += 1
  while (start < end && isControlOrSpace(text, end - 1)) end -= 1
  return withoutBreaks(text.slice(start, end))
}

function isControlOrSpace(text: string, index: number): boolean {
  return text.charCodeAt(index) <= 0x20
}

/** What a reader in C sees. */
function beforeNul(text: string): string {
  const end = text.indexOf('\0')
  return end > 0 ? text.slice(0, end) : text
}

const percent = 0x25

/** Decodes each percent-encoded sequence, whatever the others are; bytes that are not UTF-8 become U+FFFD. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (let index = 0; index < bytes.length; index += 1, length += 1) {
    const byte = bytes[index] ?? 0
    const value = byte === percent ? hexDigit(bytes[index + 1]) * 16 + hexDigit(bytes[index + 2]) : -1
    if (value >= 0) index += 2
    bytes[length] = value >= 0 ? value : byte
  }
  return length === bytes.length ? text : bytes.toString('utf8', 0, length)
}

/** The value of a hexadecimal digit; negative for other bytes, even in a sum with another digit. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1_000
}
