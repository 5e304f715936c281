/** In every canary and in nothing else. */
const mark = 'KanarienvogelQ7'

/** A secret for a test: found by the scan wherever the bridge lets it out, whatever it was for. */
export function canary(label: string): string {
  return `${label}-${mark}-${label.length}`
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

/** Where a canary is in a text, with some of what is around it; undefined if there is none. */
export function canaryIn(text: string): string | undefined {
  const at = marks.map((form) => text.indexOf(form)).find((index) => index >= 0)
  return at === undefined ? undefined : text.slice(Math.max(0, at - 120), at + 80)
}
