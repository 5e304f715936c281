/** Somebody in line. */
export interface Waiting<Request, Granted> {
  readonly party: string
  readonly request: Request
  readonly promise: Promise<Granted>
  readonly resolve: (granted: Granted) => void
  readonly reject: (reason: Error) => void
}

/** A line in which parties take turns: one that asks for much does not keep the others waiting. */
export class WaitingLine<Request, Granted> {
  /** In the order of their turns. */
  readonly #parties = new Map<string, Waiting<Request, Granted>[]>()

  get isEmpty(): boolean {
    return this.#parties.size === 0
  }

  add(party: string, request: Request): Waiting<Request, Granted> {
    const waiting = { party, request, ...settleable<Granted>() }
    const own = this.#parties.get(party)
    if (own === undefined) this.#parties.set(party, [waiting])
    else own.push(waiting)
    return waiting
  }

  /** Says whether it was still in line. */
  delete(waiting: Waiting<Request, Granted>): boolean {
    const own = this.#parties.get(waiting.party) ?? []
    const index = own.indexOf(waiting)
    if (index === -1) return false
    own.splice(index, 1)
    if (own.length === 0) this.#parties.delete(waiting.party)
    return true
  }

  /** Takes the first one out of line whose request can be served; its party's next turn comes after all others'. */
  next(canServe: (request: Request) => boolean): Waiting<Request, Granted> | undefined {
    for (const [party, own] of this.#parties) {
      const found = own.find(({ request }) => canServe(request))
      if (found === undefined) continue
      this.delete(found)
      if (this.#parties.delete(party)) this.#parties.set(party, own)
      return found
    }
    return undefined
  }

  /** Everybody's requests. */
  *requests(): Iterable<Request> {
    for (const own of this.#parties.values()) for (const { request } of own) yield request
  }
}

function settleable<T>(): Pick<Waiting<never, T>, 'promise' | 'resolve' | 'reject'> {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Whoever gave up does not hear of it any more.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
