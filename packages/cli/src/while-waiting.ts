import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

const noticeAfterMs = 1000

/**
 * Says on an interactive terminal what is being waited for, once the wait has lasted a second and unless the person is
 * the one who is waited for.
 */
export async function whileWaiting<T>(
  terminal: Terminal,
  what: string,
  work: Promise<T>,
  isUpToPerson: () => boolean = () => false,
): Promise<T> {
  if (terminal.stderr.isTTY !== true) return work
  let shown = false
  const timer = setTimeout(() => {
    if (isUpToPerson()) return
    shown = true
    terminal.stderr.write(`… ${printable(what)}`)
  }, noticeAfterMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    if (shown) terminal.stderr.write('\r\u001b[2K')
  }
}
