import type { BridgeTool, ServerSpec, UpstreamStatus } from '@toolbridge/bridge'
import { type Invocation, textOptions, wantsJson } from '../command.ts'
import { requireConfiguration } from '../configuration.ts'
import { ExitCode } from '../exit-code.ts'
import { describeFailure, failureCode, hasNotStarted } from '../server-failure.ts'
import { openTerminalBridge } from '../terminal-bridge.ts'
import { colorsFor } from '../colors.ts'
import { printable } from '../printable.ts'
import { timeoutsFrom } from '../timeouts.ts'
import { print, printError, printJson, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function listTools({ options, terminal }: Invocation): Promise<ExitCode> {
  const asJson = wantsJson(options)
  const startAs = timeoutsFrom(options)
  const loaded = await requireConfiguration(terminal, options)
  const wanted = new Set(textOptions(options, 'server'))
  const named = [...wanted].map((name) => requireServer(loaded.servers, name))
  const servers = wanted.size === 0 ? loaded.servers : named
  if (servers.length === 0)
    printError(terminal, 'toolbridge: no servers configured. See: toolbridge config add --help')
  await using bridge = await openTerminalBridge(terminal, servers, { startAs })
  const [tools, states] = [[...bridge.tools], bridge.status()]
  // The servers stop while the list is printed.
  void bridge.close()
  if (asJson) printJson(terminal, { tools: tools.map(summary) }, options['pretty'] === true)
  else if (tools.length > 0) print(terminal, tools.map((tool) => line(tool, terminal)).join('\n'))
  return reportFailures(states, terminal)
}

function requireServer(servers: readonly ServerSpec[], name: string): ServerSpec {
  const server = servers.find((each) => each.name === name)
  if (server !== undefined) return server
  const names = servers.map((each) => each.name).join(', ')
  throw new UsageError(`unknown server "${name}". Configured servers: ${names || 'none'}`)
}

function summary(tool: BridgeTool): object {
  const { description, inputSchema } = tool.definition
  return {
    name: tool.name,
    server: tool.server,
    rawName: tool.rawName,
    uri: tool.uri,
    description,
    inputSchema,
  }
}

function line(tool: BridgeTool, terminal: Terminal): string {
  const colors = colorsFor(terminal, terminal.stdout)
  const description = printable(tool.definition.description ?? tool.definition.title ?? '').split('\n')[0]
  return `${colors.bold(shownName(tool))}  ${colors.dim(description ?? '')}`.trimEnd()
}

/** The name, or the address if the name has characters that a terminal does not show. `toolbridge call` takes both. */
function shownName({ name, uri }: BridgeTool): string {
  return printable(name).trim() === name && !name.includes('\n') ? name : uri
}

/** Reports servers that failed to start. The command fails only if none started. */
function reportFailures(states: readonly UpstreamStatus[], terminal: Terminal): ExitCode {
  const failed = states.filter(hasNotStarted)
  for (const line of failed.flatMap(describeFailure)) printError(terminal, line)
  return failed.length > 0 && failed.length === states.length ? failureCode(failed) : ExitCode.Ok
}
