/** The fragment of a URI reference without its percent-encoding; undefined if that is invalid. */
export function decodedFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

/** The keys that a JSON Pointer (RFC 6901) consists of. */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value that a JSON Pointer (RFC 6901) leads to; undefined if there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let found = root
  for (const name of pointerSteps(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Reflect.get(found, name)
  }
  return found
}
