/** Hands out names of types that are unique in a file. */
export class TypeNames {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  /** A name in PascalCase from parts of any text, with a number if it is taken. */
  next(...parts: readonly string[]): string {
    const words = parts.flatMap((part) => part.split(/[^\dA-Za-z]+/)).filter((word) => word !== '')
    const plain = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
    const stem = /^[A-Z]/.test(plain) ? plain : `T${plain}`
    let name = stem
    for (let number = 2; this.#taken.has(name); number += 1) name = `${stem}${number}`
    this.#taken.add(name)
    return name
  }
}

/** A name as the key of an object or type: quoted unless it is a plain identifier. */
export function keyText(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__') return name
  return literalText(name)
}

/** A key of an object literal. Computed where the plain form would set the prototype. */
export function objectKeyText(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : keyText(name)
}

/** A string as a literal. Characters that are invisible or end a line are escaped. */
export function literalText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
