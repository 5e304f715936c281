import type { Bridge } from '@toolbridge/bridge'

/** What `toolbridge run` passes to a program. */
export interface ScriptContext {
  /** The configured servers; none without a configuration. Closed when the program ends. */
  readonly bridge: Bridge
  /** The words of the command line after the program. */
  readonly args: readonly string[]
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. The program has three seconds to end, and may still call tools. */
  readonly signal: AbortSignal
}

/** The default export of a program. Its result is printed: text as it is, anything else as JSON, `undefined` not at all. */
export type Script = (context: ScriptContext) => unknown
