/** Values that the command line gives. They go before those of the registry. */
export interface GivenValues {
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Arguments of the package. Default: those of the registry. */
  readonly args?: readonly string[]
}

/** An entry as in a file of Toolbridge. */
export interface DefinedEntry {
  readonly entry: object
  /** What could be set and is not: environment variables, headers and arguments. */
  readonly optional: readonly string[]
}
