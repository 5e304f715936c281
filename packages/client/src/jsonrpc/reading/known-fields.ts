/** The fields that the protocol defines for an object, and what their values are. */
export interface KnownFields {
  /** Characters of a string here: errors quote names and addresses. Default: any number. */
  readonly maxLength?: number
  /** Returns what is known of a member. */
  of(key: string): KnownFields | undefined
  /** Returns the field that a key which is not known would be for who ignores case. */
  meantBy(key: string): string | undefined
}

/** Fields by name. An empty object is a value that nothing is known of, such as the arguments of a tool. */
export interface Shape {
  readonly [field: string]: Shape | KnownFields
}

/** A string that errors quote. */
export function upTo(maxLength: number): KnownFields {
  return { maxLength, of: () => undefined, meantBy: () => undefined }
}

/** An object whose keys are free, and whose members have this shape. */
export function eachMember(shape: Shape): KnownFields {
  const member = knownFields(shape)
  return { of: () => member, meantBy: () => undefined }
}

/** An object of this shape, or an array of such objects. */
export function knownFields(shape: Shape): KnownFields {
  const members = new Map(Object.entries(shape).map(([name, value]) => [name, memberOf(value)]))
  const byFold = new Map(Object.keys(shape).map((name) => [folded(name), name]))
  return {
    of: (key) => members.get(key),
    meantBy: (key) => (members.has(key) || key.length > longest ? undefined : byFold.get(folded(key))),
  }
}

/** Longer than any field, so that long keys are not folded. */
const longest = 100

function memberOf(value: Shape | KnownFields): KnownFields | undefined {
  if (isKnown(value)) return value
  return Object.keys(value).length === 0 ? undefined : knownFields(value)
}

function isKnown(value: Shape | KnownFields): value is KnownFields {
  return typeof value['of'] === 'function'
}

/** As readers compare that ignore case: first in upper case, in which the long s and the dotless i are letters of ASCII, as the Kelvin sign is in lower case. */
function folded(key: string): string {
  return key.toUpperCase().toLowerCase()
}
