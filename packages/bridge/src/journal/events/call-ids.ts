import { randomUUID } from 'node:crypto'

const blockSize = 256

/**
 * Ids of calls: globally unique, because they count up from a random start. Numbers are formatted once per 256 calls:
 * formatting, or a random number per call, costs more than the rest of the journal.
 */
export class CallIds {
  #prefix = ''
  #endings: readonly string[] = []
  #block = ''
  #blocks = 0
  #used = blockSize

  next(): string {
    if (this.#used === blockSize) this.#startBlock()
    const ending = this.#endings[this.#used]
    this.#used += 1
    return this.#block + ending
  }

  #startBlock(): void {
    if (this.#blocks === 0) this.#begin()
    this.#block = this.#prefix + this.#blocks.toString(16).padStart(10, '0')
    this.#blocks += 1
    this.#used = 0
  }

  /** At the first call: a bridge that only lists tools needs no ids. */
  #begin(): void {
    this.#prefix = randomUUID().slice(0, 24)
    this.#endings = Array.from({ length: blockSize }, (_unused, index) => index.toString(16).padStart(2, '0'))
  }
}
