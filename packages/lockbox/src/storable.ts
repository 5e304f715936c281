const MAX_BYTES = 512

/** Owners that begin with it are the lockbox's own. */
const RESERVED = 'lockbox:'

/**
 * Throws unless the database returns every text unchanged: two different owners must never be stored as the same text. The
 * owner must not be one of the lockbox's own.
 */
export function assertStorable(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    const error = unstorable(name, text)
    if (error !== undefined) throw error
  }
}

/** Whether a text can be the id of a value; of an owner if `name` is `owner`. Ask before what a request names is looked up. */
export function isStorable(name: 'id' | 'owner', text: string): boolean {
  return unstorable(name, text) === undefined
}

function unstorable(name: string, text: string): Error | undefined {
  const bytes = Buffer.from(text, 'utf8')
  if (text === '' || bytes.length > MAX_BYTES)
    return new RangeError(`${name} must have 1 to ${MAX_BYTES} bytes`)
  if (text.includes('\0') || bytes.toString('utf8') !== text)
    return new TypeError(`${name} is not valid UTF-8 text`)
  if (name === 'owner' && text.startsWith(RESERVED))
    return new RangeError(`owner must not begin with ${RESERVED}`)
  return undefined
}
