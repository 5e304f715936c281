import {
  type Cassette,
  type Difference,
  type Drift,
  type DriftReport,
  findDrift,
} from '@toolbridge/bridge/cassette'
import { printable } from '@toolbridge/client/internal'
import { type Colors, colorsFor } from '../colors.ts'
import { type Invocation, textOptions } from '../command.ts'
import { requireConfiguration } from '../configuration.ts'
import { isConfirmed } from '../display/confirm-change.ts'
import { printResult } from '../display/print-result.ts'
import { ExitCode } from '../exit-code.ts'
import { messageHandler, messagesFrom } from '../messages.ts'
import { effectivePermissions } from '../permissions/effective-permissions.ts'
import { requireServer } from '../servers/selected-servers.ts'
import { print, printError, type Terminal } from '../terminal.ts'
import { startingAccess } from '../terminal-bridge.ts'
import { timeoutsFrom } from '../timeouts.ts'
import { whileWaiting } from '../while-waiting.ts'

/** Repeats the requests of a cassette on the live server and prints what differs. */
export async function showDrift(
  cassette: Cassette,
  server: string,
  invocation: Invocation,
): Promise<ExitCode> {
  const { terminal } = invocation
  const report = await compare(cassette, server, invocation)
  printResult(invocation, report, () => {
    for (const line of lines(report, colorsFor(terminal, terminal.stdout))) print(terminal, line)
  })
  return report.drift.length > 0 ? ExitCode.Drift : ExitCode.Ok
}

async function compare(
  cassette: Cassette,
  name: string,
  { options, terminal }: Invocation,
): Promise<DriftReport> {
  const startAs = timeoutsFrom(options)
  const { servers, files } = await requireConfiguration(terminal, options, (all) => [
    requireServer(all, name),
  ])
  const { rules } = await effectivePermissions(terminal, options, files)
  const written = requireServer(servers, name)
  const spec = startAs(written)
  let hasAsked = false
  const access = await startingAccess(terminal, [written], [spec], () => (hasAsked = true))
  const comparing = findDrift(cassette, spec, {
    ...access,
    server: name,
    ignore: textOptions(options, 'ignore'),
    listsOnly: options['lists'] === true,
    permissions: rules,
    confirm: async (calls) => {
      hasAsked = true
      return options['yes'] === true || isRepetitionConfirmed(calls, name, terminal)
    },
    onMessage: await messageHandler(terminal, messagesFrom(options)),
  })
  return whileWaiting(terminal, `comparing ${name} with the cassette`, comparing, () => hasAsked)
}

/** The calls come from a file, which may be of somebody else, and have their effects again. */
function isRepetitionConfirmed(
  calls: readonly string[],
  server: string,
  terminal: Terminal,
): Promise<boolean> {
  printError(terminal, `The cassette repeats these calls of ${printable(server)}:`)
  for (const call of calls) printError(terminal, `  ${printable(call)}`)
  return isConfirmed(terminal, {
    message: 'Make these calls?',
    withoutTerminal: 'the calls are skipped; add --yes to make them, or --lists to compare only lists',
  })
}

function lines({ server, compared, drift, skipped }: DriftReport, colors: Colors): readonly string[] {
  const count = drift.length === 0 ? 'no differences' : `${drift.length} differ`
  return [
    `${colors.bold(printable(server))}: ${compared} compared, ${count}${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`,
    ...drift.flatMap((each) => driftLines(each, colors)),
    ...skipped.map(({ subject, reason }) => colors.dim(`  skipped  ${printable(subject)}: ${reason}`)),
  ]
}

function driftLines({ kind, subject, differences }: Drift, colors: Colors): readonly string[] {
  const color = kind === 'removed' ? colors.red : colors.yellow
  return [
    `  ${color(kind.padEnd(7))}  ${printable(subject)}`,
    ...differences.map((each) => colors.dim(`           ${differenceText(each)}`)),
  ]
}

function differenceText({ path, recorded, live }: Difference): string {
  return `${path === '' ? '' : `${printable(path)}: `}${shown(recorded)} → ${shown(live)}`
}

const maxShown = 200

function shown(value: unknown): string {
  const text = printable(JSON.stringify(value) ?? 'nothing')
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}
