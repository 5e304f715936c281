/**
 * Returns the value at a path such as `a.b.c`, `a[0].b` or `a['b c']`, optionally with a leading `$.`. Undefined if there
 * is none or the path is invalid. Inherited properties are ignored.
 */
export function pathGet(value: unknown, path: string): unknown {
  const steps = stepsOf(path)
  return steps?.reduce<unknown>(
    (at, step) => (isHolder(at) && Object.hasOwn(at, step) ? at[step] : undefined),
    value,
  )
}

function stepsOf(path: string): readonly string[] | undefined {
  const text = path.trim().replace(/^\$(?=[.[]|$)/, '')
  const steps: string[] = []
  let at = 0
  while (at < text.length) {
    step.lastIndex = at
    const match = step.exec(text)
    if (match === null || (match[2] !== undefined && at > 0)) return undefined
    steps.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5] ?? '')
    at += match[0].length
  }
  return steps
}

/** `.name`, a first `name`, `[0]`, `['name']` or `["name"]`. */
const step = /\.([^.[\]\s]+)|([^.[\]\s]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/y

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
