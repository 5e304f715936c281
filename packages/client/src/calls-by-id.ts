import type { RequestId } from './jsonrpc.ts'

interface Identified {
  readonly id: RequestId
}

const FIRST_SIZE = 16

/**
 * Calls by their ids. Ids count up, so each has a place in a ring; one that finds its place taken by a call that goes on
 * and on, or whose id is a text, is kept aside. A map of them all would have its table made anew every few hundred calls,
 * and what the old tables held stays alive until the next full collection: in a process with a heap of some size that was
 * a third of what a call costs.
 */
export class CallsById<Call extends Identified> {
  #ring: (Call | undefined)[] = emptyRing<Call>(FIRST_SIZE)
  /** There while it is needed: a connection that waits should hold little. */
  #aside: Map<RequestId, Call> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: RequestId): Call | undefined {
    const call = typeof id === 'number' ? this.#ring[this.#placeOf(id)] : undefined
    return call?.id === id ? call : this.#aside?.get(id)
  }

  /** The id must be a new one. */
  add(call: Call): void {
    this.#size++
    this.#put(call)
  }

  delete(call: Call): void {
    const { id } = call
    // A place that is none must not be looked at: it would make every look at the ring slow from then on.
    if (typeof id === 'number' && this.#ring[this.#placeOf(id)] === call) {
      this.#ring[this.#placeOf(id)] = undefined
    } else if (this.#aside?.delete(id) !== true) {
      return
    }
    if (this.#aside?.size === 0) this.#aside = undefined
    this.#size--
  }

  /** As they are at this moment, in the order of their ids; those with a text last. */
  all(): readonly Call[] {
    const inRing = this.#ring.filter((call) => call !== undefined)
    const all = [...inRing, ...(this.#aside?.values() ?? [])]
    return all.sort((a, b) => (typeof a.id === 'number' && typeof b.id === 'number' ? a.id - b.id : 0))
  }

  #put(call: Call): void {
    const { id } = call
    if (typeof id !== 'number') return this.#putAside(call)
    const place = this.#placeOf(id)
    if (this.#ring[place] === undefined) this.#ring[place] = call
    else if (this.#size * 4 > this.#ring.length) this.#grow(call)
    else this.#putAside(call)
  }

  #placeOf(id: number): number {
    return id & (this.#ring.length - 1)
  }

  #putAside(call: Call): void {
    this.#aside ??= new Map()
    this.#aside.set(call.id, call)
  }

  #grow(call: Call): void {
    const before = this.#ring
    this.#ring = emptyRing(before.length * 2)
    for (const each of before) if (each !== undefined) this.#put(each)
    this.#put(call)
  }
}

function emptyRing<Call>(size: number): (Call | undefined)[] {
  return Array.from<Call | undefined>({ length: size })
}
