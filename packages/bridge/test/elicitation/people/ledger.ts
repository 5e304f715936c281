import type { Answerer, Origin } from '@toolbridge/bridge'

/** Somebody who calls tools in one conversation and is asked on one channel. */
export interface Person {
  readonly name: string
  readonly origin: Origin
  readonly answerer: Answerer
}

/** Which questions are to come, by the text that each carries, and where they came. */
export class Ledger {
  readonly #due = new Map<string, string>()
  readonly #arrived = new Map<string, string[]>()
  #next = 0

  /** A text for one question that is due at a person; `about` says what led to it. */
  token({ name }: Person, about = ''): string {
    const token = `question ${++this.#next} for ${name} ${about}`
    this.#due.set(token, name)
    return token
  }

  /** No question will come of it after all. */
  cancel(token: string): void {
    this.#due.delete(token)
  }

  arrive(token: string, name: string): void {
    this.#arrived.set(token, [...(this.#arrived.get(token) ?? []), name])
  }

  get dueCount(): number {
    return this.#due.size
  }

  get arrivedCount(): number {
    return this.#arrived.size
  }

  /** Questions that nobody was asked. */
  get lost(): readonly string[] {
    return [...this.#due.keys()].filter((token) => !this.#arrived.has(token))
  }

  /** Questions that reached somebody else, or somebody who was not to be asked. */
  get misdelivered(): readonly string[] {
    return [...this.#arrived].flatMap(([token, names]) =>
      names.every((name) => name === this.#due.get(token)) ? [] : [`${token}: ${names.join(', ')}`],
    )
  }

  /** Questions that were asked more than once. */
  get repeated(): readonly string[] {
    return [...this.#arrived].flatMap(([token, names]) => (names.length > 1 ? [token] : []))
  }
}
