import { CommandLineError, commandWords as splitWords } from '@toolbridge/bridge/config'
import { UsageError } from '../usage-error.ts'

/** Splits the command line of an option into words. Throws a `UsageError` that names the option if it cannot be read. */
export function commandWords(line: string, option: string = 'stdio'): readonly string[] {
  return orUsageError(() => splitWords(line), `invalid --${option}: `)
}

/** Returns what `read` returns. Throws a `UsageError` if the command line cannot be read. */
export function orUsageError<T>(read: () => T, prefix = ''): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof CommandLineError) throw new UsageError(prefix + error.message)
    throw error
  }
}
