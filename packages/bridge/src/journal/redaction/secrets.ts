import { Matcher, mergeSpans, type Span } from './matcher.ts'
import { isRecognizable, secretForms } from './secret-forms.ts'

/** Replaces a secret. */
export const mask = '[redacted]'

/** Maximum number of values; the oldest are dropped first, and temporary ones before others. */
const maxValues = 2_000

/** Temporary values that are kept in any case. */
const minTemporary = 100

/** Secret values, and their removal from texts in any encoding. */
export class Secrets {
  readonly #values = new Set<string>()
  /** Those that a server can replace as often as it likes. */
  readonly #temporary = new Set<string>()
  /** Values that are not in a matcher yet. */
  #pending: string[] = []
  /** Each at least twice as large as the next, so that a new value does not rebuild all of them. */
  #matchers: Matcher[] = []
  #revision = 0

  /** Changes when values are added. */
  get revision(): number {
    return this.#revision
  }

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  /** Adds values; those that are too short or too common are ignored. */
  keep(values: Iterable<string>): void {
    for (const value of values) if (isRecognizable(value)) this.#keep(value)
    if (this.#values.size > maxValues) this.#forgetOldest()
  }

  /** Adds values that are replaced by others, such as tokens. However many there are, they displace no others. */
  keepTemporary(values: Iterable<string>): void {
    const added = [...values].filter((value) => !this.#values.has(value))
    for (const value of added) this.#temporary.add(value)
    this.keep(added)
  }

  /** Replaces the values in a text. */
  mask(text: string): string {
    if (this.isEmpty) return text
    const spans = this.#find(text)
    return spans.length === 0 ? text : masked(text, spans)
  }

  #keep(value: string): void {
    // Moves a known value to the end of the order.
    if (this.#values.delete(value)) return void this.#values.add(value)
    this.#values.add(value)
    this.#pending.push(value)
    this.#revision += 1
  }

  #find(text: string): readonly Span[] {
    if (this.#pending.length > 0) this.#prepare()
    const [only, ...others] = this.#matchers
    if (only === undefined) return []
    if (others.length === 0) return only.find(text)
    return mergeSpans(this.#matchers.map((matcher) => matcher.find(text)))
  }

  #prepare(): void {
    let words: readonly string[] = this.#pending.flatMap(secretForms)
    this.#pending = []
    for (let last = this.#matchers.at(-1); last !== undefined; last = this.#matchers.at(-1)) {
      if (last.words.length > 2 * words.length) break
      words = [...last.words, ...words]
      this.#matchers.pop()
    }
    this.#matchers.push(new Matcher(words))
  }

  #forgetOldest(): void {
    const half = maxValues / 2
    const lasting = [...this.#values].filter((value) => !this.#temporary.has(value)).slice(-half)
    const room = Math.max(minTemporary, half - lasting.length)
    const temporary = [...this.#values].filter((value) => this.#temporary.has(value)).slice(-room)
    const newest = [...lasting, ...temporary]
    for (const set of [this.#values, this.#temporary]) set.clear()
    for (const value of newest) this.#values.add(value)
    for (const value of temporary) this.#temporary.add(value)
    this.#pending = newest
    this.#matchers = []
  }
}

function masked(text: string, spans: readonly Span[]): string {
  const starts = [0, ...spans.map(({ end }) => end)]
  const ends = [...spans.map(({ start }) => start), text.length]
  return starts.map((start, index) => text.slice(start, ends[index])).join(mask)
}
