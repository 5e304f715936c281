const MAX_BYTES = 512

/**
 * Throws unless every text can be stored and read back as it is: two texts that the database would make one must
 * never name two owners.
 */
export function assertStorable(texts: Readonly<Record<string, string>>): void {
  for (const [what, text] of Object.entries(texts)) {
    const bytes = Buffer.from(text, 'utf8')
    if (text === '' || bytes.length > MAX_BYTES)
      throw new RangeError(`${what} must have 1 to ${MAX_BYTES} bytes`)
    if (text.includes('\0') || bytes.toString('utf8') !== text)
      throw new TypeError(`${what} is not valid text`)
  }
}
