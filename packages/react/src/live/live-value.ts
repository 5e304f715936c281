/** Something that the gateway has, as it was last loaded. */
export interface LiveSnapshot<T> {
  /** Undefined before the first load. */
  readonly data: T | undefined
  /** Why the last load failed, or null. `data` stays what it was. */
  readonly error: Error | null
  /** True until the first load has ended. */
  readonly isLoading: boolean
}

/** Functions that `LiveValue` calls. */
export interface LiveValueOptions<T> {
  /** Loads the value. */
  load(signal: AbortSignal): Promise<T>
  /** Called for each subscriber; returns a function that is called when it unsubscribes. */
  watch(): () => void
  /** Returns what to wait for before the first load: a load that begins then misses no change. Default: nothing. */
  ready?(): Promise<void> | undefined
}

const nothingLoaded: LiveSnapshot<never> = { data: undefined, error: null, isLoading: true }

/** A value of the gateway that is loaded for its first subscriber, and again when the gateway says that it changed. */
export class LiveValue<T> {
  readonly #options: LiveValueOptions<T>
  readonly #listeners = new Set<() => void>()
  #snapshot: LiveSnapshot<T> = nothingLoaded
  #isStale = true
  #running: Promise<void> | undefined
  #controller = new AbortController()
  /** Changes since the load began; its response may be older. */
  #changes: ((data: T) => T)[] = []

  constructor(options: LiveValueOptions<T>) {
    this.#options = options
  }

  /** Returns the current snapshot. */
  readonly getSnapshot = (): LiveSnapshot<T> => this.#snapshot

  /** Calls `listener` on every change. Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const unwatch = this.#options.watch()
    this.#listeners.add(listener)
    if (this.#isStale) void this.reload()
    return () => {
      this.#listeners.delete(listener)
      unwatch()
    }
  }

  /** Loads the value; after a load that is running, once more. Never rejects: see `error` of the snapshot. */
  readonly reload = (): Promise<void> => {
    this.#isStale = true
    this.#running ??= this.#loadWhileStale(this.#controller.signal)
    return this.#running
  }

  /** Loads the value if it has subscribers, else for the next one. */
  invalidate(): void {
    this.#isStale = true
    if (this.#listeners.size > 0) void this.reload()
  }

  /** Changes the value without a load. Does nothing before the first load. */
  change(change: (data: T) => T): void {
    if (this.#running !== undefined) this.#changes.push(change)
    const { data } = this.#snapshot
    if (data !== undefined) this.#show({ data: change(data) })
  }

  /** Forgets the value, and the response of a running load. */
  clear(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#running = undefined
    this.#isStale = true
    this.#show(nothingLoaded)
  }

  async #loadWhileStale(signal: AbortSignal): Promise<void> {
    const ready = this.#options.ready?.()
    if (ready !== undefined) await ready
    while (this.#isStale && !signal.aborted) await this.#loadOnce(signal)
    if (!signal.aborted) this.#running = undefined
  }

  async #loadOnce(signal: AbortSignal): Promise<void> {
    this.#isStale = false
    this.#changes = []
    const loaded = await this.#options.load(signal).then(
      (data) => ({ data: this.#changes.reduce((changed, change) => change(changed), data), error: null }),
      (error: unknown) => ({ error: error instanceof Error ? error : new Error(String(error)) }),
    )
    if (!signal.aborted) this.#show({ ...loaded, isLoading: false })
  }

  #show(changes: Partial<LiveSnapshot<T>>): void {
    this.#snapshot = { ...this.#snapshot, ...changes }
    for (const listener of this.#listeners) listener()
  }
}
