import { isJsonObject } from '@toolbridge/client/internal'

/** Deeper values are left out. */
const maxDepth = 32

/** Applies a function to every text in a value. */
export function masked<T>(value: T, mask: (text: string) => string): T {
  return maskedValue(value, mask, 0) as T
}

function maskedValue(value: unknown, mask: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return mask(value)
  if (depth > maxDepth) return undefined
  if (Array.isArray(value)) return value.map((item: unknown) => maskedValue(item, mask, depth + 1))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskedValue(item, mask, depth + 1)]),
  )
}
