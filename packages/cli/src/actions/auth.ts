import {
  type HttpServerSpec,
  mayUseOAuth,
  type ResolvedSpec,
  resolveSpec,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import { keptAccount, signInMs, signingIn, signOut } from '../accounts.ts'
import type { Invocation } from '../command.ts'
import { requireConfiguration } from '../configuration.ts'
import { didYouMean } from '../did-you-mean.ts'
import { printResult } from '../display/print-result.ts'
import { ExitCode } from '../exit-code.ts'
import { describeFailure, failureCode, hasNotStarted } from '../server-failure.ts'
import { typedServers } from '../servers/typed-servers.ts'
import { print, printError, type Terminal } from '../terminal.ts'
import { openTerminalBridge, terminalAuthority } from '../terminal-bridge.ts'
import { UsageError } from '../usage-error.ts'

/** Runs `toolbridge auth`. */
export async function runAuth(invocation: Invocation): Promise<ExitCode> {
  const [verb, name] = invocation.positionals
  if (verb === 'status') return showStatus(invocation)
  if (verb === 'login') return logIn(invocation, name)
  if (verb === 'logout') return logOut(invocation, name)
  if (verb === undefined)
    throw new UsageError('expected login, logout or status. See: toolbridge auth --help')
  const hint = didYouMean(verb, ['login', 'logout', 'status'])
  throw new UsageError(`unknown command "auth ${verb}".${hint} See: toolbridge auth --help`)
}

async function logIn({ options, terminal }: Invocation, name: string | undefined): Promise<ExitCode> {
  const spec = await chosenServer(name, options, terminal)
  let wasSent = false
  const accounts = signingIn(terminal, spec, {
    mayOpenBrowser: options['no-browser'] !== true,
    onSent: () => (wasSent = true),
  })
  await using bridge = await openTerminalBridge(terminal, [spec], {
    credentials: accounts.of,
    isSilent: true,
    startAs: patient,
  })
  const failed = bridge.status().filter(hasNotStarted)
  for (const line of failed.flatMap(describeFailure)) printError(terminal, line)
  if (failed.length > 0) return failureCode(failed)
  const done = wasSent ? 'Signed in to' : 'No sign-in needed for'
  print(terminal, `${done} ${printable(spec.name)}.`)
  return ExitCode.Ok
}

/** Signing in takes longer than a server may take to start. */
function patient(spec: ServerSpec): ServerSpec {
  return { ...spec, enabled: true, timeouts: { ...spec.timeouts, startMs: signInMs } }
}

async function logOut({ options, terminal }: Invocation, name: string | undefined): Promise<ExitCode> {
  const spec = await chosenServer(name, options, terminal)
  const resolved = await resolve(spec, terminal)
  if ((await keptAccount(terminal, resolved)) === undefined) {
    print(terminal, `Not signed in to ${printable(spec.name)}.`)
    return ExitCode.Ok
  }
  await signOut(terminal, resolved)
  print(terminal, `Signed out of ${printable(spec.name)}.`)
  return ExitCode.Ok
}

interface AccountStatus {
  readonly server: string
  readonly signedIn: boolean
  readonly issuer?: string
  readonly scope?: string
}

async function showStatus(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const { servers } = await requireConfiguration(terminal, options)
  const accounts = await Promise.all(servers.filter(mayUseOAuth).map((spec) => statusOf(spec, terminal)))
  printResult(invocation, { accounts }, () => {
    for (const account of accounts) print(terminal, printable(line(account)))
  })
  return ExitCode.Ok
}

async function statusOf(spec: HttpServerSpec, terminal: Terminal): Promise<AccountStatus> {
  const account = await keptAccount(terminal, await resolve(spec, terminal))
  const state = account?.record?.state
  if (account === undefined || state?.kind !== 'held') return { server: spec.name, signedIn: false }
  const { scope } = state.tokens
  const { issuer } = account
  return { server: spec.name, signedIn: true, issuer, ...(scope === undefined ? {} : { scope }) }
}

function line({ server, signedIn, issuer = '' }: AccountStatus): string {
  return `${server}  ${signedIn ? `signed in at ${issuer}` : 'not signed in'}`
}

/** Without headers: they are not needed here, and a headers helper would have to be trusted first. */
async function resolve(spec: HttpServerSpec, terminal: Terminal): Promise<ResolvedSpec> {
  const { headersHelper: _helper, ...rest } = spec
  const { signal } = terminal
  return (await resolveSpec({ ...rest, headers: {} }, terminalAuthority(terminal), { signal })).spec
}

async function chosenServer(
  name: string | undefined,
  options: Invocation['options'],
  terminal: Terminal,
): Promise<HttpServerSpec> {
  const typed = typedServers(options)?.reading.servers
  if (typed === undefined) return serverNamed(name, options, terminal)
  const [only, ...others] = typed.filter(mayUseOAuth)
  if (only !== undefined && others.length === 0 && name === undefined) return only
  throw new UsageError('expected the name of one server, or one --http <url>')
}

async function serverNamed(
  name: string | undefined,
  options: Invocation['options'],
  terminal: Terminal,
): Promise<HttpServerSpec> {
  if (name === undefined)
    throw new UsageError('missing server: expected a name, or --http <url>. See: toolbridge auth status')
  const { servers } = await requireConfiguration(terminal, options)
  const spec = servers.find((server) => server.name === name)
  if (spec !== undefined && mayUseOAuth(spec)) return spec
  if (spec !== undefined) throw new UsageError(`server "${name}" has no sign-in: ${whyNoSignIn(spec)}`)
  const names = servers.filter(mayUseOAuth).map((server) => server.name)
  throw new UsageError(
    `unknown server "${name}".${didYouMean(name, names)} Servers with a sign-in: ${names.join(', ') || 'none'}`,
  )
}

function whyNoSignIn(spec: ServerSpec): string {
  const isDisabled = spec.transport !== 'stdio' && spec.auth?.kind === 'none'
  return isDisabled ? 'its definition disables authorization' : 'it is not reached over HTTP'
}
