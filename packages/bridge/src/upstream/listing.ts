import { Refresh } from './refresh.ts'

export interface ListingOptions<T> {
  /** Reads the whole list; undefined when there is nobody to ask at the moment. */
  readonly read: () => Promise<readonly T[] | undefined>
  /** The list is another one. */
  readonly onRead: (items: readonly T[]) => void
  /** The list could not be read again. */
  readonly onFailed: (error: unknown) => void
}

/** A list of one server that is read when somebody wants it, and from then on whenever the server says it changed. */
export class Listing<T> {
  readonly #options: ListingOptions<T>
  readonly #refresh = new Refresh(() => this.#readAgain())
  #items: readonly T[] = []
  #isWanted = false
  #isStale = true
  #reading: Promise<void> | undefined

  constructor(options: ListingOptions<T>) {
    this.#options = options
  }

  /** The list as it was read last. */
  get items(): readonly T[] {
    return this.#items
  }

  /** Reads the list unless it is known; one reading serves all who wait. Rejects when it cannot be read. */
  async current(): Promise<readonly T[]> {
    this.#isWanted = true
    await this.#reading?.catch(() => {})
    if (this.#isStale) await this.#read()
    return this.#items
  }

  /** The list may be another one. */
  changed(): void {
    this.#isStale = true
    if (this.#isWanted) this.#refresh.soon()
  }

  stop(): void {
    this.#refresh.stop()
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readOnce(): Promise<void> {
    // Before the reading: what changes during it may be missing in it.
    this.#isStale = false
    try {
      const items = await this.#options.read()
      if (items === undefined) this.#isStale = true
      else this.#show(items)
    } catch (error) {
      this.#isStale = true
      throw error
    }
  }

  #show(items: readonly T[]): void {
    this.#items = items
    this.#options.onRead(items)
  }

  async #readAgain(): Promise<void> {
    await this.#reading?.catch(() => {})
    // Somebody who wanted the list may have read it in the meantime.
    if (this.#isStale) await this.#read().catch(this.#options.onFailed)
  }
}
