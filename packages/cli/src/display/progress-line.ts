import type { Progress } from '@toolbridge/client'
import { printable } from '@toolbridge/client/internal'
import type { Terminal } from '../terminal.ts'
import { widthOf } from './text-width.ts'

/** Shows the progress of a call on one line of an interactive terminal. */
export class ProgressLine {
  readonly #terminal: Terminal
  #isShown = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Replaces the line. */
  show({ progress, total, message }: Progress): void {
    const { stderr } = this.#terminal
    if (stderr.isTTY !== true) return
    const share = total === undefined ? `${progress}` : `${progress}/${total}`
    const line = `… ${share}${message === undefined ? '' : ` ${message}`}`
    stderr.write(`\r\u001b[2K${printable(line, { maxLength: Math.max(2, widthOf(stderr) - 1) })}`)
    this.#isShown = true
  }

  /** Removes the line, to print something else. */
  clear(): void {
    if (this.#isShown) this.#terminal.stderr.write('\r\u001b[2K')
    this.#isShown = false
  }
}
