/** Tells when nobody has used a key for some time. */
export class IdleTimers {
  readonly #idleMs: number
  readonly #onIdle: (key: string) => void
  readonly #uses = new Map<string, { count: number; timer: NodeJS.Timeout | undefined }>()

  constructor(idleMs: number, onIdle: (key: string) => void) {
    this.#idleMs = idleMs
    this.#onIdle = onIdle
  }

  /** Begins a use of the key. Returns a function that ends it. Idempotent. */
  begin(key: string): () => void {
    const use = this.#uses.get(key) ?? { count: 0, timer: undefined }
    this.#uses.set(key, use)
    clearTimeout(use.timer)
    use.count += 1
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      use.count -= 1
      if (use.count === 0) use.timer = setTimeout(() => this.#end(key), this.#idleMs).unref()
    }
  }

  /** Stops all timers. */
  clear(): void {
    for (const { timer } of this.#uses.values()) clearTimeout(timer)
    this.#uses.clear()
  }

  #end(key: string): void {
    this.#uses.delete(key)
    this.#onIdle(key)
  }
}
