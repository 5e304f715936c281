/** A request in the queue. */
export interface QueuedRequest<Request, Granted> {
  readonly principal: string
  readonly request: Request
  readonly promise: Promise<Granted>
  readonly resolve: (granted: Granted) => void
  readonly reject: (reason: Error) => void
}

/** A queue that serves principals in turn, so that one with many requests does not keep the others waiting. */
export class FairQueue<Request, Granted> {
  /** In the order in which the principals are served next. */
  readonly #principals = new Map<string, QueuedRequest<Request, Granted>[]>()

  get isEmpty(): boolean {
    return this.#principals.size === 0
  }

  add(principal: string, request: Request): QueuedRequest<Request, Granted> {
    const queued = { principal, request, ...settleable<Granted>() }
    const own = this.#principals.get(principal)
    if (own === undefined) this.#principals.set(principal, [queued])
    else own.push(queued)
    return queued
  }

  /** Returns whether the request was still in the queue. */
  delete(queued: QueuedRequest<Request, Granted>): boolean {
    const own = this.#principals.get(queued.principal) ?? []
    const index = own.indexOf(queued)
    if (index === -1) return false
    own.splice(index, 1)
    if (own.length === 0) this.#principals.delete(queued.principal)
    return true
  }

  /** Removes the first request that can be granted. Its principal is then served after all others. */
  next(canGrant: (request: Request) => boolean): QueuedRequest<Request, Granted> | undefined {
    for (const [principal, own] of this.#principals) {
      const found = own.find(({ request }) => canGrant(request))
      if (found === undefined) continue
      this.delete(found)
      if (this.#principals.delete(principal)) this.#principals.set(principal, own)
      return found
    }
    return undefined
  }

  *requests(): Iterable<Request> {
    for (const own of this.#principals.values()) for (const { request } of own) yield request
  }
}

function settleable<T>(): Pick<QueuedRequest<never, T>, 'promise' | 'resolve' | 'reject'> {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // A request that was given up has no other handler.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
