import type { MetricSample } from './prometheus-text.ts'

/** Counts by the values of labels. */
export class Counter<Label extends string> {
  readonly #counts = new Map<string, { readonly labels: Readonly<Record<Label, string>>; value: number }>()

  /** The values of every label must be from a small set, never names of people, servers or tools. */
  add(labels: Readonly<Record<Label, string>>): void {
    const key = JSON.stringify(labels)
    const count = this.#counts.get(key) ?? { labels, value: 0 }
    count.value += 1
    this.#counts.set(key, count)
  }

  samples(): readonly MetricSample[] {
    return [...this.#counts.values()]
  }
}
