/** Occurs in every canary and nowhere else. */
const mark = 'KanarienvogelQ7'

const labels = new Set<string>()

/** Creates a secret for a test. The scan of the whole run finds it wherever it leaks. */
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

/** Encodings of the mark: plain, hexadecimal, and Base64 at each alignment. */
const marks: readonly string[] = [
  mark,
  Buffer.from(mark).toString('hex'),
  ...[0, 1, 2].map((moved) => {
    const text = Buffer.from(' '.repeat(moved) + mark).toString('base64')
    return text.slice(moved === 0 ? 0 : moved + 1, text.length - 4)
  }),
]

/** Longer than the mark in any encoding. */
export const markLength: number = 2 * mark.length

/** The first canary in a text or file with its surroundings, or undefined. */
export function canaryIn(text: string | Buffer): string | undefined {
  const at = marks.map((form) => text.indexOf(form)).find((index) => index >= 0)
  if (at === undefined) return undefined
  const [start, end] = [Math.max(0, at - 120), at + 80]
  return typeof text === 'string' ? text.slice(start, end) : text.toString('utf8', start, end)
}
