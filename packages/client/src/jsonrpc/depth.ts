/** Maximum nesting of a message. Recursive code, such as `JSON.stringify`, overflows the stack at a few thousand levels. */
export const MAX_DEPTH = 256

/** Whether a value has more than `levels` objects and arrays inside each other, or above that a member named `sought`. */
export function isTooDeep(value: unknown, levels: number = MAX_DEPTH, sought?: string): boolean {
  if (!isNested(value)) return false
  if (levels < 1) return true
  // Runs on every long message. Strings and numbers cost no call, and an array is not a list of keys.
  if (Array.isArray(value)) return value.some((item) => isNested(item) && isTooDeep(item, levels - 1, sought))
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key]
    if (key === sought || (isNested(member) && isTooDeep(member, levels - 1, sought))) return true
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether a JSON text has enough brackets of one kind to be nested too deep. Much cheaper than a look at its value. */
export function mayBeTooDeep(text: string): boolean {
  return text.length > MAX_DEPTH && (text.split('{', 128).length > 127 || text.split('[', 128).length > 127)
}
