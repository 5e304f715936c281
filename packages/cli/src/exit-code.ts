/** Exit status of the command. Stable: scripts depend on it. */
export const ExitCode = {
  Ok: 0,
  ToolFailed: 1,
  Config: 2,
  Link: 3,
  Denied: 4,
  Storage: 5,
  NoConfiguration: 6,
  Drift: 7,
  Unfinished: 8,
  Tampered: 9,
  Bug: 70,
  Output: 74,
  Cancelled: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** Meaning of each exit status, for the help and docs/errors.md. */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  [ExitCode.Ok]: 'success',
  [ExitCode.ToolFailed]: 'the tool, the server or the program reports a failure',
  [ExitCode.Config]: 'invalid configuration or command line',
  [ExitCode.Link]:
    'a server could not be reached, or the connection was lost: the effect of a call is unknown',
  [ExitCode.Denied]: 'denied by a rule or a person, or a server of the project is not trusted',
  [ExitCode.Storage]: 'the stored settings cannot be opened',
  [ExitCode.NoConfiguration]: 'no configuration was found',
  [ExitCode.Drift]: 'a server does not behave as recorded',
  [ExitCode.Unfinished]: 'the model did not finish its answer',
  [ExitCode.Tampered]: 'stored settings or their audit were changed',
  [ExitCode.Bug]: 'a defect of Toolbridge',
  [ExitCode.Output]: 'the output could not be written',
  [ExitCode.Cancelled]: 'interrupted',
}
