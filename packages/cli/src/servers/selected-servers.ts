import type { Bridge, ServerSpec, UpstreamStatus } from '@toolbridge/bridge'
import { type Invocation, type Options, textOptions } from '../command.ts'
import { type LoadedConfiguration, requireConfiguration } from '../configuration.ts'
import { didYouMean } from '../did-you-mean.ts'
import { ExitCode } from '../exit-code.ts'
import { messagesFrom } from '../messages.ts'
import { effectivePermissions } from '../permissions/effective-permissions.ts'
import { describeFailure, failureCode, hasNotStarted } from '../server-failure.ts'
import { mayReuse } from '../reused-servers.ts'
import { openTerminalBridge } from '../terminal-bridge.ts'
import { timeoutsFrom } from '../timeouts.ts'
import { printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** Starts the servers of the configuration, or those named with `--server`. The caller closes the bridge. */
export function openSelected(invocation: Invocation): Promise<Bridge> {
  return openConfigured(invocation, selectedServers)
}

async function selectedServers({ options, terminal }: Invocation): Promise<LoadedConfiguration> {
  const selected = await requireConfiguration(terminal, options, serversNamedBy(options))
  if (selected.servers.length === 0)
    printError(terminal, 'toolbridge: no servers configured. See: toolbridge config add --help')
  return selected
}

/**
 * Starts the servers of a configuration, which is loaded when the options are known to be valid. Typing the command approves
 * its calls; rules apply. The caller closes the bridge.
 */
export async function openConfigured(
  invocation: Invocation,
  load: (invocation: Invocation) => Promise<LoadedConfiguration>,
): Promise<Bridge> {
  const { options, terminal } = invocation
  const startAs = timeoutsFrom(options)
  const { servers, files } = await load(invocation)
  const { rules } = await effectivePermissions(terminal, options, files)
  return openTerminalBridge(terminal, servers, {
    startAs,
    messages: messagesFrom(options),
    permissions: rules,
    mayReuse: mayReuse(options),
  })
}

/** Lets the servers stop while the result is printed. The caller still closes the bridge. */
export async function beginClosing(bridge: Bridge): Promise<void> {
  void bridge.close()
  // They have been told to stop when what is pending has run.
  await new Promise((resolve) => setImmediate(resolve))
}

/** Selects the servers named with `--server`; all without it. Throws if there is no such server. */
export function serversNamedBy(options: Options): (all: readonly ServerSpec[]) => readonly ServerSpec[] {
  const names = [...new Set(textOptions(options, 'server'))]
  return (all) => (names.length === 0 ? all : names.map((name) => requireServer(all, name)))
}

/** The server of this name. Throws if there is none. */
export function requireServer(servers: readonly ServerSpec[], name: string): ServerSpec {
  const server = servers.find((each) => each.name === name)
  if (server !== undefined) return server
  const names = servers.map((each) => each.name)
  const hint = didYouMean(name, names)
  throw new UsageError(`unknown server "${name}".${hint} Configured servers: ${names.join(', ') || 'none'}`)
}

/** Reports servers that failed to start. A command that lists things fails only if none started. */
export function reportFailures(states: readonly UpstreamStatus[], terminal: Terminal): ExitCode {
  const wanted = states.filter(({ state }) => state !== 'disabled')
  const failed = wanted.filter(hasNotStarted)
  for (const line of failed.flatMap(describeFailure)) printError(terminal, line)
  return failed.length > 0 && failed.length === wanted.length ? failureCode(failed) : ExitCode.Ok
}

/** Names of the servers that run. */
export function runningServers(bridge: Bridge): readonly string[] {
  return bridge
    .status()
    .filter(({ state }) => state === 'ready' || state === 'degraded')
    .map(({ name }) => name)
}

/** Starts the selected servers for a command that needs at least one, and stops them. Reports why none runs. */
export async function withServers(
  invocation: Invocation,
  use: (bridge: Bridge) => Promise<void>,
): Promise<ExitCode> {
  await using bridge = await openSelected(invocation)
  if (runningServers(bridge).length === 0) return withoutServer(bridge, invocation)
  await use(bridge)
  return ExitCode.Ok
}

function withoutServer(bridge: Bridge, { terminal }: Invocation): ExitCode {
  const code = reportFailures(bridge.status(), terminal)
  if (code === ExitCode.Ok) throw new UsageError('no server is enabled. See: toolbridge config list')
  return code
}
