import { afterEach, expect, test, vi } from 'vitest'
import { StdioTransport } from '../../../src/stdio.ts'
import { pretendWindows } from '../../process/fake-windows.ts'

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['the default times', undefined, 500, 2_500],
  ['its own time until SIGTERM', { graceMs: 20 }, 20, 2_500],
  ['its own time until SIGKILL', { termMs: 30 }, 500, 30],
])(
  'a server has %s to stop [S4-37] [S4-38] [S4-39] [D19] [d.6-11] [T1]',
  async (_title, stop, graceMs, termMs) => {
    const { child, execFile: kill } = pretendWindows()
    const transport = new StdioTransport({ command: 'server', ...(stop === undefined ? {} : { stop }) })
    await transport.start()
    vi.useFakeTimers()
    const closed = transport.close()
    await vi.advanceTimersByTimeAsync(graceMs - 1)
    expect(child.stdin.writableEnded).toBe(true)
    expect(kill).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(kill).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(termMs - 1)
    expect(kill).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(kill).toHaveBeenCalledTimes(2)
    child.exit(1)
    await vi.advanceTimersByTimeAsync(100)
    await closed
  },
)
