/** In every canary and in nothing else. */
const mark = 'KanarienvogelQ7'

const labels = new Set<string>()

/** A secret for a test: found by the scan of the whole run wherever it is let out, whatever it was for. */
export function canary(label: string): string {
  labels.add(label)
  return `${label}-${mark}-${label.length}`
}

/** The number of different secrets made since the last call. */
export function takeCanaryCount(): number {
  const count = labels.size
  labels.clear()
  return count
}

/** The mark as programs write it: as it is, in hexadecimal, and in Base64 wherever it begins. */
const marks: readonly string[] = [
  mark,
  Buffer.from(mark).toString('hex'),
  ...[0, 1, 2].map((moved) => {
    const text = Buffer.from(' '.repeat(moved) + mark).toString('base64')
    return text.slice(moved === 0 ? 0 : moved + 1, text.length - 4)
  }),
]

/** Longer than a mark in any writing. */
export const markLength: number = 2 * mark.length

/** Where a canary is in a text or a file, with some of what is around it; undefined if there is none. */
export function canaryIn(text: string | Buffer): string | undefined {
  const at = marks.map((form) => text.indexOf(form)).find((index) => index >= 0)
  if (at === undefined) return undefined
  const [start, end] = [Math.max(0, at - 120), at + 80]
  return typeof text === 'string' ? text.slice(start, end) : text.toString('utf8', start, end)
}
