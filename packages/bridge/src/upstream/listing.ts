import { Refresh } from './refresh.ts'

export interface ListingOptions<T> {
  /** Reads the whole list; undefined while there is no connection. */
  readonly read: () => Promise<readonly T[] | undefined>
  /** Called when the list was read. */
  readonly onRead: (items: readonly T[]) => void
  /** Called when the list could not be read. */
  readonly onFailed: (error: unknown) => void
}

/** A list of one server: read on first use, then whenever the server announces a change. */
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

  /** The list as last read. */
  get items(): readonly T[] {
    return this.#items
  }

  /** Returns the list, reading it if it is stale. Concurrent callers share one request. Rejects when it cannot be read. */
  async current(): Promise<readonly T[]> {
    this.#isWanted = true
    await this.#reading?.catch(() => {})
    if (this.#isStale) await this.#read()
    return this.#items
  }

  /** Marks the list as stale. */
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
    // Before reading, because changes during the request may not be in the answer.
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
    // `current` may have read it meanwhile.
    if (this.#isStale) await this.#read().catch(this.#options.onFailed)
  }
}
