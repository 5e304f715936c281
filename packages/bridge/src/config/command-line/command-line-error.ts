/** A command line cannot be read. The message says why, without quoting values. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError'
}
