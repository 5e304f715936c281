/** Output that shares the terminal with questions and messages. */
export interface SessionOutput {
  /** Ends an unfinished line, to print something else. */
  endLine(): void
  /** Prints nothing from now on: a question is on the terminal. Returns a function that is called when it is answered. */
  pause(): () => void
}
