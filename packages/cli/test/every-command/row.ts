/** A command line of the built command, and what it must do. */
export interface Row {
  /** Name of the command. */
  readonly command: string
  readonly args: readonly string[]
  readonly code: number
  /** The published schema of its JSON, and the definition in it: `config-report list`. */
  readonly schema?: string
  /** What the JSON, or the last line of it, contains, among other things. */
  readonly json?: object
  /** Default: nothing; with a schema, one line of JSON. Each line of several has to follow the schema. */
  readonly stdout?: RegExp
  /** Default: nothing. */
  readonly stderr?: RegExp
  readonly input?: string
  /** Current folder, in the folder of `prepareFolder`. Default: that folder. */
  readonly cwd?: string
}
