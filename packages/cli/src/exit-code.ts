/** Exit status of the command. Stable: scripts depend on it. */
export const ExitCode = {
  Ok: 0,
  /** The tool ran and reported failure, or the server answered with an error. */
  ToolFailed: 1,
  /** Invalid configuration or command line. */
  Config: 2,
  /** A server could not be reached, or the connection broke: the effect of a call is unknown. */
  Link: 3,
  /** Denied by a rule or a person. */
  Denied: 4,
  /** The stored settings cannot be opened. */
  Storage: 5,
  /** There is no configuration. */
  NoConfiguration: 6,
  /** A server does not behave as recorded. */
  Drift: 7,
  /** A defect of Toolbridge itself. */
  Bug: 70,
  /** The output could not be written. */
  Output: 74,
  Cancelled: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]
