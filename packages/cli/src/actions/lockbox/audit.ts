import type { StoreAudit } from '@toolbridge/gateway'
import { printable } from '@toolbridge/client/internal'
import { type Invocation, type Options, textOption } from '../../command.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { isWhole, numberOption } from '../../number-option.ts'
import { withStoreAudit } from '../../store/with-store.ts'
import { print, printError } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'

type Entry = Awaited<ReturnType<StoreAudit['recent']>>['entries'][number]

export async function listAudit(invocation: Invocation): Promise<ExitCode> {
  const { terminal, options } = invocation
  const limit = limitOption(options)
  const owner = await ownerOption(options)
  const { entries } = await withStoreAudit(invocation, (audit) => audit.recent(limit, owner))
  printResult(invocation, { entries }, () => {
    if (entries.length === 0)
      printError(terminal, `toolbridge: the audit has no entries of ${printable(owner ?? 'yours')}`)
    for (const entry of entries) print(terminal, printable(line(entry)))
  })
  return ExitCode.Ok
}

const maxLimit = 10_000

function limitOption(options: Options): number {
  return numberOption(options, 'limit', `a number from 1 to ${maxLimit}`, isWhole(1, maxLimit)) ?? 50
}

async function ownerOption(options: Options): Promise<string | undefined> {
  const owner = textOption(options, 'owner')
  if (owner === undefined) return undefined
  const { isOwnerId } = await import('@toolbridge/gateway')
  if (isOwnerId(owner)) return owner
  throw new UsageError(`invalid --owner "${owner}": expected the id of a person`)
}

function line({ at, action, kind, name }: Entry): string {
  return `${at}  ${action}  ${kind}  ${name.join(' ')}`
}
