/** Type of a JSON value. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** A difference between two versions. Names the place and the types, never a value: any value can be a secret. */
export type SettingChange = {
  /** Place as a JSON Pointer. The place of an object or array that was added or removed as a whole stands for all of it. */
  readonly path: string
  /** Type in the first version. Absent if the place was added. */
  readonly before?: JsonType
  /** Type in the second version. Absent if the place was removed. */
  readonly after?: JsonType
}

/** `undefined`, which JSON does not have, is an absent value. */
type Pair = { readonly path: string; readonly before: unknown; readonly after: unknown }

/** Compares two JSON values; the differences are in the order of the document. Not recursive: values can be nested deeply. */
export function diffValues(before: unknown, after: unknown): readonly SettingChange[] {
  const changes: SettingChange[] = []
  const pending: Pair[] = [{ path: '', before, after }]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (isContainer(pair.before) && isContainer(pair.after) && typesAreSame(pair))
      for (const child of childrenOf(pair.path, pair.before, pair.after).toReversed()) pending.push(child)
    else if (pair.before !== pair.after) changes.push(changeOf(pair))
  }
  return changes
}

type Container = Readonly<Record<string, unknown>>

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function typesAreSame({ before, after }: Pair): boolean {
  return Array.isArray(before) === Array.isArray(after)
}

function childrenOf(path: string, before: Container, after: Container): readonly Pair[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].map((name) => ({
    path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    before: ownValue(before, name),
    after: ownValue(after, name),
  }))
}

function ownValue(container: Container, name: string): unknown {
  return Object.hasOwn(container, name) ? container[name] : undefined
}

function changeOf({ path, before, after }: Pair): SettingChange {
  return {
    path,
    ...(before === undefined ? {} : { before: typeOf(before) }),
    ...(after === undefined ? {} : { after: typeOf(after) }),
  }
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}
