import { type LocalProcesses, localProcesses, runningServers } from '@toolbridge/client/internal'
import { colorsFor } from '../../colors.ts'
import type { Invocation } from '../../command.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { print, printError } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { type ListedProcess, listedProcess, processTable } from './listed-process.ts'
import { stopServers } from './stop-servers.ts'

export function runPs(invocation: Invocation): Promise<ExitCode> {
  return listOrStop(invocation, localProcesses())
}

/** Runs the command on a table of processes; undefined where the system has none. */
export async function listOrStop(
  invocation: Invocation,
  local: LocalProcesses | undefined,
): Promise<ExitCode> {
  const { positionals, options } = invocation
  if (local === undefined) throw new UsageError('server processes can be listed only on Linux, with /proc')
  if (options['stop'] === true) return stopServers(invocation, local)
  const [extra] = positionals
  if (extra !== undefined)
    throw new UsageError(`unexpected argument "${extra}". To stop it: toolbridge ps --stop ${extra}`)
  return show(invocation, (await runningServers(local)).map(listedProcess))
}

function show(invocation: Invocation, processes: readonly ListedProcess[]): ExitCode {
  const { terminal } = invocation
  printResult(invocation, { processes }, () => {
    if (processes.length === 0) return print(terminal, 'No server is running.')
    const [heading = '', ...rows] = processTable(processes)
    print(terminal, colorsFor(terminal, terminal.stdout).bold(heading))
    for (const row of rows) print(terminal, row)
    if (processes.some(({ isOrphan }) => isOrphan))
      printError(terminal, 'Stop orphans with: toolbridge ps --stop')
  })
  return ExitCode.Ok
}
