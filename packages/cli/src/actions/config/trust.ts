import { entryHash, type ServerSpec } from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../../command.ts'
import { requireProjectServers } from '../../configuration.ts'
import { didYouMean } from '../../did-you-mean.ts'
import { printResult } from '../../display/print-result.ts'
import { ExitCode } from '../../exit-code.ts'
import { isAttended, print, printError, type Terminal } from '../../terminal.ts'
import { describeEntry, isTrustConfirmed, trustStoreOf } from '../../trust.ts'
import { UsageError } from '../../usage-error.ts'

export async function trustServers(invocation: Invocation): Promise<ExitCode> {
  const { positionals, options, terminal } = invocation
  const servers = await requireProjectServers(terminal, options)
  const chosen = choose(servers, positionals)
  const store = trustStoreOf(terminal)
  for (const spec of chosen) {
    if (options['forget'] === true) await store.forget(entryHash(spec))
    else if (await isNewlyTrusted(spec, terminal, options['yes'] === true))
      await store.trust(entryHash(spec), `${spec.name} of ${spec.source.file}`)
  }
  const states = await Promise.all(
    chosen.map(async (spec) => ({
      name: spec.name,
      file: spec.source.file,
      isTrusted: await store.isTrusted(entryHash(spec)),
    })),
  )
  printResult(invocation, { servers: states }, () => {
    for (const state of states) print(terminal, line(state))
  })
  const isDone = states.every(({ isTrusted }) => isTrusted === (options['forget'] !== true))
  return isDone ? ExitCode.Ok : ExitCode.Denied
}

function choose(ofProject: readonly ServerSpec[], names: readonly string[]): readonly ServerSpec[] {
  if (names.length === 0) return ofProject
  return names.map((name) => {
    const found = ofProject.find((spec) => spec.name === name)
    if (found !== undefined) return found
    const known = ofProject.map((spec) => spec.name)
    throw new UsageError(
      `unknown server "${name}".${didYouMean(name, known)} Servers of the project: ${known.join(', ') || 'none'}`,
    )
  })
}

async function isNewlyTrusted(spec: ServerSpec, terminal: Terminal, isYes: boolean): Promise<boolean> {
  if (await trustStoreOf(terminal).isTrusted(entryHash(spec))) return false
  if (!isYes && isAttended(terminal)) return isTrustConfirmed(terminal, spec)
  for (const shown of describeEntry(terminal, spec)) printError(terminal, shown)
  if (!isYes)
    printError(terminal, 'toolbridge: no terminal to ask at; --yes trusts the entry as it is in the file')
  return isYes
}

function line({ name, file, isTrusted }: { name: string; file: string; isTrusted: boolean }): string {
  return printable(`"${name}" of ${file} is ${isTrusted ? '' : 'not '}trusted`)
}
