/** The fragment of a URI reference without its percent-encoding; undefined if that is invalid. */
export function decodedFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

/** The value that a JSON Pointer (RFC 6901) leads to; undefined if there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let found = root
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Reflect.get(found, name)
  }
  return found
}
