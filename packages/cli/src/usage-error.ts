/** Invalid command line. The message says what is valid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
