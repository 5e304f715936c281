import type { RequestId } from './jsonrpc.ts'

interface Identified {
  readonly id: RequestId
}

interface Page<Call> {
  readonly number: number
  readonly calls: (Call | undefined)[]
  left: number
}

const PAGE_BITS = 4
const PAGE_SIZE = 1 << PAGE_BITS

/**
 * Calls by id. Numeric ids count up, so concurrent calls share a page, which is dropped with the last of them; calls with
 * string ids are in a map. Both alternatives cost up to a third of a call: one map is rehashed every few hundred calls,
 * and its old tables keep calls alive until the next full collection; one long-lived array triggers a write barrier of
 * the garbage collector with every call.
 */
export class CallsById<Call extends Identified> {
  readonly #pages = new Map<number, Page<Call>>()
  #newest: Page<Call> | undefined
  #aside: Map<RequestId, Call> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: RequestId): Call | undefined {
    if (typeof id !== 'number') return this.#aside?.get(id)
    const call = this.#pages.get(id >> PAGE_BITS)?.calls[id & (PAGE_SIZE - 1)]
    return call?.id === id ? call : undefined
  }

  /** The id must be unused. */
  add(call: Call): void {
    const { id } = call
    this.#size++
    if (typeof id !== 'number') {
      this.#aside ??= new Map()
      this.#aside.set(id, call)
      return
    }
    const page = this.#pageFor(id >> PAGE_BITS)
    page.calls[id & (PAGE_SIZE - 1)] = call
    page.left++
  }

  delete(call: Call): void {
    const { id } = call
    if (this.get(id) !== call) return
    this.#size--
    if (typeof id === 'number') this.#clear(id)
    else this.#aside?.delete(id)
  }

  /** In the order of ids, string ids last. `visit` may delete any of them. */
  forEach(visit: (call: Call) => void): void {
    this.#pages.forEach(({ calls }) => calls.forEach((call) => call !== undefined && visit(call)))
    this.#aside?.forEach(visit)
  }

  #pageFor(number: number): Page<Call> {
    if (this.#newest?.number === number) return this.#newest
    const page = this.#pages.get(number) ?? { number, calls: [], left: 0 }
    if (this.#newest?.left === 0) this.#pages.delete(this.#newest.number)
    this.#pages.set(number, page)
    this.#newest = page
    return page
  }

  #clear(id: number): void {
    const page = this.#pages.get(id >> PAGE_BITS)
    if (page === undefined) return
    page.calls[id & (PAGE_SIZE - 1)] = undefined
    page.left--
    // The newest page is kept for the next call.
    if (page.left === 0 && page !== this.#newest) this.#pages.delete(page.number)
  }
}
