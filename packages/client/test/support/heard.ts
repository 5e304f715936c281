interface Notice {
  readonly method: string
  readonly params: unknown
}

/** Everything a server said on its own, and a way to wait for something. */
export class Heard {
  readonly #notices: Notice[] = []
  readonly #arrivals = new EventTarget()

  /** Give it to a client as `onNotification`. */
  readonly take = (method: string, params: unknown): void => {
    this.#notices.push({ method, params })
    this.#arrivals.dispatchEvent(new Event('notice'))
  }

  all(method: string): readonly unknown[] {
    return this.#notices.filter((notice) => notice.method === method).map(({ params }) => params)
  }

  /** The parameters of the first notification that fits, waiting for it if need be. */
  async first(method: string, fits: (params: unknown) => boolean = () => true): Promise<unknown> {
    for (;;) {
      const found = this.all(method).find(fits)
      if (found !== undefined) return found
      await new Promise((resolve) => this.#arrivals.addEventListener('notice', resolve, { once: true }))
    }
  }
}
