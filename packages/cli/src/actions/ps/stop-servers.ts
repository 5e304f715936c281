import {
  type LocalProcesses,
  type RunningServer,
  runningServers,
  stopRunningServer,
} from '@toolbridge/client/internal'
import type { Invocation } from '../../command.ts'
import { didYouMean } from '../../did-you-mean.ts'
import { isConfirmed } from '../../display/confirm-change.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { print, printError } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { type ListedProcess, listedProcess, ownerOf, processTable, titleOf } from './listed-process.ts'

/** `contains_this_command`: not stopped, because that would stop this command too. */
type Outcome = 'stopped' | 'already_ended' | 'survived' | 'contains_this_command'

interface StopReport extends ListedProcess {
  readonly outcome: Outcome
  /** Ids of processes that could not be stopped. */
  readonly survivors: readonly number[]
}

/** Stops the named servers after asking, or all orphans. */
export async function stopServers(invocation: Invocation, local: LocalProcesses): Promise<ExitCode> {
  const { positionals: names } = invocation
  const running = await runningServers(local)
  const chosen =
    names.length === 0 ? running.filter(({ owner }) => !owner.isRunning) : namedOf(running, names)
  if (names.length > 0 && !(await isStopConfirmed(invocation, chosen))) return ExitCode.Denied
  const stopped = await Promise.all(chosen.map((server) => stop(server, local)))
  printResult(invocation, { stopped }, () => {
    if (stopped.length === 0) print(invocation.terminal, 'No orphans: nothing to stop.')
    for (const report of stopped) print(invocation.terminal, outcomeLine(report))
  })
  return stopped.every(isStopped) ? ExitCode.Ok : ExitCode.ToolFailed
}

function namedOf(running: readonly RunningServer[], names: readonly string[]): readonly RunningServer[] {
  const isNamed = ({ pid, name }: RunningServer, word: string): boolean =>
    word === String(pid) || word === name
  for (const word of names) {
    if (running.some((server) => isNamed(server, word))) continue
    const hint = didYouMean(
      word,
      running.flatMap(({ name = [] }) => name),
    )
    throw new UsageError(`no running server "${word}".${hint} See: toolbridge ps`)
  }
  return running.filter((server) => names.some((word) => isNamed(server, word)))
}

async function isStopConfirmed(
  { options, terminal }: Invocation,
  chosen: readonly RunningServer[],
): Promise<boolean> {
  if (options['yes'] === true) return true
  for (const line of processTable(chosen.map(listedProcess))) printError(terminal, line)
  return isConfirmed(terminal, {
    message: chosen.length === 1 ? 'Stop this server?' : `Stop these ${chosen.length} servers?`,
    withoutTerminal: 'not stopped; add --yes to stop without asking',
  })
}

async function stop(server: RunningServer, local: LocalProcesses): Promise<StopReport> {
  const listed = listedProcess(server)
  if (server.processes.includes(process.pid))
    return { ...listed, outcome: 'contains_this_command', survivors: server.processes }
  const { wasRunning, survivors } = await stopRunningServer(server, local)
  const outcome = survivors.length > 0 ? 'survived' : wasRunning ? 'stopped' : 'already_ended'
  return { ...listed, outcome, survivors }
}

function isStopped({ survivors }: StopReport): boolean {
  return survivors.length === 0
}

function outcomeLine(report: StopReport): string {
  const title = titleOf(report)
  const { outcome, survivors } = report
  if (outcome === 'already_ended') return `${title} had already ended`
  if (outcome === 'survived') return `could not stop ${title}: still running: ${survivors.join(', ')}`
  if (outcome === 'contains_this_command') return `did not stop ${title}: this command runs inside it`
  const children = report.processes.length - 1
  const tree = children === 0 ? '' : ` and ${children} more process${children === 1 ? '' : 'es'} of it`
  const restart = report.isOrphan ? '' : `; its owner, ${ownerOf(report)}, may start it again`
  return `stopped ${title}${tree}${restart}`
}
