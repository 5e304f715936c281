type Method = (this: unknown, ...given: unknown[]) => unknown

/** A call that a watcher observes. */
export interface Watched {
  readonly owner: unknown
  readonly given: readonly unknown[]
}

/** Calls an observer before each call of a method. */
export function before(owner: object, name: string, watch: (call: Watched) => void): void {
  replace(
    owner,
    name,
    (original) =>
      function (...given) {
        watch({ owner: this, given })
        return original.apply(this, given)
      },
  )
}

/** Calls an observer with the result of each call of a method. */
export function after(owner: object, name: string, watch: (result: unknown, call: Watched) => void): void {
  replace(
    owner,
    name,
    (original) =>
      function (...given) {
        const result = original.apply(this, given)
        watch(result, { owner: this, given })
        return result
      },
  )
}

function replace(owner: object, name: string, watched: (original: Method) => Method): void {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') throw new TypeError(`there is no ${name} to watch`)
  Reflect.set(owner, name, watched(original as Method))
}
