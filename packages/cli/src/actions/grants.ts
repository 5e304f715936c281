import { join } from 'node:path'
import { fileGrantStore, type Grant, type GrantStore } from '@toolbridge/bridge/permissions'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'
import { printResult } from '../display/print-result.ts'
import { ExitCode } from '../exit-code.ts'
import { localPrincipal, modelGrantsOf, terminalGrantsOf } from '../terminal-bridge.ts'
import { print, printError } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { dataFolder } from '../data-folder.ts'

/** The origin of calls that a grant applies to. */
type Caller = 'terminal' | 'model' | 'gateway'

interface KeptGrant {
  readonly caller: Caller
  readonly grant: Grant
  readonly store: GrantStore
}

export async function runGrants(invocation: Invocation): Promise<ExitCode> {
  const [verb, ...words] = invocation.positionals
  if ((verb ?? 'list') === 'list' && words.length === 0) return show(invocation, await keptGrants(invocation))
  if (verb === 'revoke') return revoke(invocation, words)
  if (verb === undefined || verb === 'list')
    throw new UsageError('expected list, or revoke <server> [<tool>]. See: toolbridge grants --help')
  const hint = didYouMean(verb, ['list', 'revoke'])
  throw new UsageError(`unknown command "grants ${verb}".${hint} See: toolbridge grants --help`)
}

async function revoke(invocation: Invocation, [server, tool]: readonly string[]): Promise<ExitCode> {
  if (server === undefined) throw new UsageError('missing server. See: toolbridge grants list')
  const kept = await keptGrants(invocation)
  const chosen = kept.filter(({ grant }) => grant.server === server && (tool ?? grant.tool) === grant.tool)
  if (chosen.length === 0) {
    const what = tool === undefined ? `a tool of "${server}"` : `the tool "${tool}" of "${server}"`
    throw new UsageError(`no grant for ${what}. See: toolbridge grants list`)
  }
  for (const { grant, store } of chosen) await store.remove(grant)
  return show(invocation, chosen)
}

async function keptGrants({ options, terminal }: Invocation): Promise<readonly KeptGrant[]> {
  const stores: Readonly<Record<Caller, GrantStore>> = {
    terminal: terminalGrantsOf(terminal),
    model: modelGrantsOf(terminal),
    gateway: fileGrantStore(join(dataFolder(options, terminal), 'grants')),
  }
  const all = (['terminal', 'model', 'gateway'] as const).map(async (caller) => {
    const store = stores[caller]
    return (await store.list(localPrincipal)).map((grant) => ({ caller, grant, store }))
  })
  return (await Promise.all(all)).flat().toSorted(byName)
}

function byName(one: KeptGrant, other: KeptGrant): number {
  return nameOf(one).localeCompare(nameOf(other))
}

function nameOf({ grant, caller }: KeptGrant): string {
  return `${grant.server} ${grant.tool} ${caller}`
}

function show(invocation: Invocation, kept: readonly KeptGrant[]): ExitCode {
  const grants = kept.map(({ caller, grant }) => ({ server: grant.server, tool: grant.tool, caller }))
  printResult(invocation, { grants }, () => {
    if (grants.length === 0) printError(invocation.terminal, 'toolbridge: no tool is permanently approved')
    for (const grant of grants) print(invocation.terminal, printable(line(grant)))
  })
  return ExitCode.Ok
}

const callers: Readonly<Record<Caller, string>> = {
  terminal: 'typed at a terminal',
  model: 'by models at a terminal',
  gateway: 'by hosts of the gateway',
}

function line({ server, tool, caller }: { server: string; tool: string; caller: Caller }): string {
  return `${server}  ${tool}  ${callers[caller]}`
}
