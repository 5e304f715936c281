/** Invalid command line. The message is one line that says what is valid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** Lines below the message. */
  readonly lines: readonly string[]

  constructor(message: string, lines: readonly string[] = []) {
    super(message)
    this.lines = lines
  }
}
