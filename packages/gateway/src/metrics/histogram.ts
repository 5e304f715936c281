import type { MetricSample } from './prometheus-text.ts'

/** Counts values by their size. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** `bounds` are ascending; a value above all of them is counted too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = [...bounds, Infinity]
    this.#counts = this.#bounds.map(() => 0)
  }

  observe(value: number): void {
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
  }

  samples(): readonly MetricSample[] {
    let total = 0
    const buckets = this.#bounds.map((bound, index) => {
      total += this.#counts[index] ?? 0
      return {
        suffix: '_bucket',
        labels: { le: bound === Infinity ? '+Inf' : String(bound) },
        value: total,
      }
    })
    return [...buckets, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: total }]
  }
}
