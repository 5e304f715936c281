import { printable } from '@toolbridge/client/internal'
import { isStderrTty, type Terminal } from './terminal.ts'

const noticeAfterMs = 1000

/** Says on an interactive terminal what is waited for, a second after the wait began. */
export class WaitingNotice {
  readonly #terminal: Terminal
  readonly #text: string
  #timer: NodeJS.Timeout | undefined
  #isShown = false

  constructor(terminal: Terminal, what: string) {
    this.#terminal = terminal
    this.#text = `… ${printable(what)}`
  }

  /** Begins a wait. The notice is not shown if the user is asked something by then. */
  start(isUserAsked: () => boolean = () => false): void {
    this.stop()
    if (!isStderrTty(this.#terminal)) return
    this.#timer = setTimeout(() => {
      if (isUserAsked()) return
      this.#isShown = true
      this.#terminal.stderr.write(this.#text)
    }, noticeAfterMs)
  }

  /** Ends the wait, and removes the notice. */
  stop(): void {
    clearTimeout(this.#timer)
    if (this.#isShown) this.#terminal.stderr.write('\r\u001b[2K')
    this.#isShown = false
  }
}

/** Shows a notice while `work` takes longer than a second, unless it waits for an answer from the user. */
export async function whileWaiting<T>(
  terminal: Terminal,
  what: string,
  work: Promise<T>,
  isUserAsked?: () => boolean,
): Promise<T> {
  const notice = new WaitingNotice(terminal, what)
  notice.start(isUserAsked)
  try {
    return await work
  } finally {
    notice.stop()
  }
}
