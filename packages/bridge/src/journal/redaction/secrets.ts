import { Matcher, mergeSpans, type Span } from './matcher.ts'
import { isRecognizable, secretForms } from './secret-forms.ts'

const mask = '[redacted]'

/** How many values are looked for at most; those that were told longest ago are forgotten first. */
const maxValues = 2_000

/** Values that must not be told, and a way to take them out of texts, however they are written there. */
export class Secrets {
  readonly #values = new Set<string>()
  /** What is known but not looked for yet. */
  #pending: string[] = []
  /** Each at least twice as large as the next, so that a new value does not mean to begin anew. */
  #matchers: Matcher[] = []
  #revision = 0

  /** Another one when there is more to look for. */
  get revision(): number {
    return this.#revision
  }

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  /** From now on these are taken out; those that are too short or too common to tell are left. */
  keep(values: Iterable<string>): void {
    for (const value of values) if (isRecognizable(value)) this.#keep(value)
    if (this.#values.size > maxValues) this.#forgetOldest()
  }

  /** The text without the values. */
  mask(text: string): string {
    if (this.isEmpty) return text
    const spans = this.#find(text)
    return spans.length === 0 ? text : masked(text, spans)
  }

  #keep(value: string): void {
    // Known or not, it is the newest now.
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
    const newest = [...this.#values].slice(-maxValues / 2)
    this.#values.clear()
    for (const value of newest) this.#values.add(value)
    this.#pending = newest
    this.#matchers = []
  }
}

function masked(text: string, spans: readonly Span[]): string {
  const starts = [0, ...spans.map(({ end }) => end)]
  const ends = [...spans.map(({ start }) => start), text.length]
  return starts.map((start, index) => text.slice(start, ends[index])).join(mask)
}
