/**
 * Shares one reading among concurrent callers. A caller during a reading gets the next one, so that each value is read
 * after it was requested.
 */
export class SharedReading<Value> {
  readonly #read: () => Promise<Value>
  #current: Promise<Value> | undefined
  #next: Promise<Value> | undefined

  constructor(read: () => Promise<Value>) {
    this.#read = read
  }

  get(): Promise<Value> {
    if (this.#current === undefined) return this.#begin()
    this.#next ??= this.#current.then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#next
  }

  #begin(): Promise<Value> {
    this.#next = undefined
    const reading = this.#read().finally(() => {
      if (this.#current === reading) this.#current = undefined
    })
    this.#current = reading
    return reading
  }
}
