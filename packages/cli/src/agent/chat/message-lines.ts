/**
 * Puts lines together to messages. A line that ends in a backslash continues on the next one, and everything between two lines
 * of `"""` is one message.
 */
export class MessageLines {
  readonly #lines: string[] = []
  #isBlock = false

  /** Whether no message has begun. */
  get isEmpty(): boolean {
    return this.#lines.length === 0 && !this.#isBlock
  }

  /** Adds a line. Returns the message if the line completes it. */
  add(line: string): string | undefined {
    if (line.trim() === '"""') return this.#startOrEndBlock()
    const continues = this.#isBlock || line.endsWith('\\')
    this.#lines.push(continues && !this.#isBlock ? line.slice(0, -1) : line)
    return continues ? undefined : this.take()
  }

  /** Adds a line of pasted text, which never completes a message. */
  addPasted(line: string): undefined {
    this.#lines.push(line)
  }

  /** Returns the lines so far as a message, and forgets them. */
  take(): string {
    this.#isBlock = false
    return this.#lines.splice(0).join('\n').trimEnd()
  }

  #startOrEndBlock(): string | undefined {
    if (this.#isBlock) return this.take()
    this.#isBlock = true
    return undefined
  }
}
