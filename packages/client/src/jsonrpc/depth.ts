/** Maximum nesting of a message. Recursive code, such as `JSON.stringify`, overflows the stack at a few thousand levels. */
export const MAX_DEPTH = 256

/** Whether a value has more than `levels` objects and arrays inside each other, or above that a member named `sought`. */
export function isTooDeep(value: unknown, levels: number = MAX_DEPTH, sought?: string): boolean {
  return isNested(value) && isDeep(value, levels, sought)
}

/** Runs on every long message: strings and numbers cost no call, an array no closure and no list of keys. */
function isDeep(value: object, levels: number, sought: string | undefined): boolean {
  if (levels < 1) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isNested(item) && isDeep(item, levels - 1, sought)) return true
  } else
    for (const key in value) {
      const member = (value as Readonly<Record<string, unknown>>)[key]
      if (isNested(member) && isDeep(member, levels - 1, sought)) return true
      // Comparing each name with undefined would make the walk a third slower.
      if (sought !== undefined && key === sought) return true
    }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
