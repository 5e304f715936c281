/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a JSON value is an object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Compares JSON values without the order of keys, which has no meaning. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  )
}

/** The keys that a JSON Pointer (RFC 6901) consists of. */
export function pointerSteps(pointer: string): readonly string[] {
  const [, ...steps] = pointer.split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
