import { resolve } from 'node:path'
import type { Bridge } from '@toolbridge/bridge'
import { type Invocation, wantsJson } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { exitCodeOf } from '../report-error.ts'
import { loadScript } from '../script/load-script.ts'
import type { Script } from '../script/script-context.ts'
import { ScriptError } from '../script/script-error.ts'
import { longStacks, scriptFailure } from '../script/script-failure.ts'
import { uncaughtError, untilEnd } from '../script/until-end.ts'
import { chosenServers } from '../servers/chosen-servers.ts'
import { openConfigured, reportFailures } from '../servers/selected-servers.ts'
import { printJson, printText } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function runScript(invocation: Invocation): Promise<ExitCode> {
  const { positionals, terminal } = invocation
  const [path, ...args] = positionals
  if (path === undefined) throw new UsageError('missing program. See: toolbridge run --help')
  const file = resolve(terminal.cwd, path)
  const { signal } = terminal
  using _ = longStacks()
  using uncaught = uncaughtError()
  const resultOf = <T>(program: () => T | Promise<T>): Promise<T> =>
    untilEnd(program, uncaught, signal).catch((thrown: unknown) => rethrow(thrown, file, signal))
  // Before servers are started: it may have an error.
  const script = await resultOf<Script>(() => loadScript(file, terminal.importModule))
  await using bridge = await openBridgeOf(invocation)
  present(invocation, await resultOf<unknown>(() => script({ bridge, args, signal })))
  return signal.aborted ? ExitCode.Cancelled : ExitCode.Ok
}

/** Throws what a program threw, as an error for its author. After an interruption, the exit status is that of it. */
function rethrow(thrown: unknown, file: string, { aborted }: AbortSignal): never {
  if (aborted && exitCodeOf(thrown) === ExitCode.Cancelled) throw thrown
  const failure = scriptFailure(thrown, file)
  throw aborted ? new ScriptError(failure.message, ExitCode.Cancelled, failure.lines) : failure
}

/** Starts the configured servers; none without a configuration. */
async function openBridgeOf(invocation: Invocation): Promise<Bridge> {
  const bridge = await openConfigured(invocation, chosenServers)
  reportFailures(bridge.status(), invocation.terminal)
  return bridge
}

function present({ options, terminal }: Invocation, result: unknown): void {
  const isJson = wantsJson(options)
  if (result === undefined && !isJson) return
  if (typeof result === 'string' && !isJson) return printText(terminal, result)
  try {
    printJson(terminal, result ?? null, options['pretty'] === true)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ScriptError(`the result of the program cannot be JSON: ${reason}`, ExitCode.ToolFailed)
  }
}
