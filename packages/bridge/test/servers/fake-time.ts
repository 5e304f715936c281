import { onTestFinished, vi } from 'vitest'

/** Replaces the timers of this process until the test ends. Returns a function that lets time pass. */
export function fakeTime(): (ms: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return async (ms) => {
    await vi.advanceTimersByTimeAsync(ms)
  }
}
