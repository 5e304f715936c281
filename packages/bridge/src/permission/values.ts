/** One text or number or the like in the arguments of a call, and the last name on the way to it. */
export interface Leaf {
  readonly key: string
  readonly value: unknown
}

/** What stands at a place: `*` is any one step, `**` any number of them. */
export function valuesAt(root: unknown, place: readonly string[]): readonly unknown[] {
  const [step, ...rest] = place
  if (step === undefined) return [root]
  if (step === '**') return everyValueIn(root).flatMap((value) => valuesAt(value, rest))
  if (typeof root !== 'object' || root === null) return []
  if (step === '*') return Object.values(root).flatMap((value) => valuesAt(value, rest))
  const own: unknown = Object.hasOwn(root, step) ? Reflect.get(root, step) : undefined
  return own === undefined ? [] : valuesAt(own, rest)
}

/** A value and all that is in it, however deep; what contains itself is met once. */
function everyValueIn(root: unknown): readonly unknown[] {
  const found = new Set([root])
  for (const value of found) {
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) found.add(inner)
  }
  return [...found]
}

/** Everything in a value that is neither an object nor a list, however deep. */
export function leavesOf(root: unknown, rootKey = ''): readonly Leaf[] {
  const leaves: Leaf[] = []
  const seen = new Set<object>()
  const waiting: Leaf[] = [{ key: rootKey, value: root }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value } = next
    if (typeof value !== 'object' || value === null) leaves.push(next)
    else if (seen.size < seen.add(value).size) {
      const isList = Array.isArray(value)
      for (const [name, inner] of Object.entries(value))
        waiting.push({ key: isList ? key : name, value: inner })
    }
  }
  return leaves
}

/** JSON with the names of every object in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => (isPlain(inner) ? sortedByName(inner) : inner)) ?? 'null'
  )
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortedByName(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
