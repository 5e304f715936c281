import type { StoreAudit } from '@toolbridge/gateway'
import { printable } from '@toolbridge/client/internal'
import { type Invocation, textOptions } from '../../command.ts'
import { counted } from '../../display/counted.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { withStoreAudit } from '../../store/with-store.ts'
import { print, type Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { whileWaiting } from '../../while-waiting.ts'

type Request = Parameters<StoreAudit['verify']>[0]
type Found = Awaited<ReturnType<StoreAudit['verify']>>
type AuditProblem = Found['audit']['problems'][number]
type ValueProblem = Found['values']['problems'][number]

export async function verifyStore(invocation: Invocation): Promise<ExitCode> {
  const { terminal, options } = invocation
  const checkpoints = await checkpointsIn(textOptions(options, 'checkpoint'))
  const found = await withStoreAudit(invocation, (audit) =>
    whileWaiting(terminal, 'checking the store', audit.verify({ checkpoints })),
  )
  printResult(invocation, found, () => {
    printAudit(terminal, found.audit)
    printValues(terminal, found.values)
  })
  return found.isIntact ? ExitCode.Ok : ExitCode.Tampered
}

async function checkpointsIn(texts: readonly string[]): Promise<Request['checkpoints']> {
  if (texts.length === 0) return []
  const { parseCheckpoint } = await import('@toolbridge/gateway')
  return texts.map((text) => {
    const checkpoint = parseCheckpoint(text)
    if (checkpoint !== undefined) return checkpoint
    throw new UsageError(`invalid --checkpoint "${text}": expected writer:count:head, as the gateway logs it`)
  })
}

function printAudit(terminal: Terminal, { problems, writers, entries }: Found['audit']): void {
  const state = problems.length === 0 ? 'is intact' : 'was changed'
  print(
    terminal,
    `The audit ${state}: ${counted(entries, 'entry', 'entries')} of ${counted(writers, 'writer')}.`,
  )
  for (const problem of problems)
    print(terminal, `  writer ${problem.writer}: ${auditMeanings[problem.problem](problem)}`)
}

const auditMeanings: Readonly<Record<AuditProblem['problem'], (problem: AuditProblem) => string>> = {
  changed: ({ number }) => `entry ${number} was changed, moved or added`,
  missing: ({ number }) => `entries before entry ${number} were removed`,
  truncated: ({ number }) => `entries up to entry ${number} of the checkpoint were removed`,
  replaced: ({ number }) => `entry ${number} is not that of the checkpoint`,
}

function printValues(terminal: Terminal, { total, problems }: Found['values']): void {
  const state = problems.length === 0 ? 'are intact: ' : `were changed: ${problems.length} of `
  print(terminal, `The encrypted values ${state}${counted(total, 'value')}.`)
  for (const problem of problems) print(terminal, `  ${printable(valueLine(problem))}`)
}

function valueLine({ kind, owner, name, problem }: ValueProblem): string {
  return `${kind} ${name.join(' ')} of ${owner}: ${valueMeanings[problem]}`
}

const valueMeanings: Readonly<Record<ValueProblem['problem'], string>> = {
  damaged: 'it was changed or moved; restore it from a backup',
  wrong_key: 'it is encrypted with another key',
  unknown_version: 'a newer version of Toolbridge encrypted it',
}
