import { printable } from './printable.ts'
import { isStderrTty, type Terminal } from './terminal.ts'

const noticeAfterMs = 1000

/**
 * Shows a notice on an interactive terminal while `work` takes longer than a second, unless it waits for an answer from
 * the user.
 */
export async function whileWaiting<T>(
  terminal: Terminal,
  what: string,
  work: Promise<T>,
  isUserAsked: () => boolean = () => false,
): Promise<T> {
  if (!isStderrTty(terminal)) return work
  let shown = false
  const timer = setTimeout(() => {
    if (isUserAsked()) return
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
