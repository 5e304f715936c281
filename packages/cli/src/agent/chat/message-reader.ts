/** Where the messages of a chat come from. */
export interface MessageReader {
  /** The next message, which is not empty; undefined at the end of the input. */
  read(): Promise<string | undefined>
  /** Frees the keyboard for a question. Returns a function that is called when it is answered. */
  pause(): () => void
  /** Called before something is printed that was not asked for. */
  beforePrint(): void
}
