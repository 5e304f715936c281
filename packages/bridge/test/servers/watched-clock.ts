import { ManualClock } from './manual-clock.ts'

/** A clock that tells when something is scheduled, and when that is cancelled. */
export class WatchedClock extends ManualClock {
  /** Each delay that was asked for. */
  readonly delays: number[] = []
  #onSchedule: () => void = () => {}
  #onCancel: () => void = () => {}

  /** Resolves when something is scheduled next. */
  get scheduled(): Promise<void> {
    return new Promise((resolve) => (this.#onSchedule = resolve))
  }

  /** Resolves when something is cancelled next. */
  get cancelled(): Promise<void> {
    return new Promise((resolve) => (this.#onCancel = resolve))
  }

  override after(delayMs: number, work: () => void): () => void {
    const cancel = super.after(delayMs, work)
    this.delays.push(delayMs)
    this.#onSchedule()
    return () => {
      cancel()
      this.#onCancel()
    }
  }
}
