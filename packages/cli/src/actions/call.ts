import type { Bridge } from '@toolbridge/bridge'
import { mayHaveTool } from '@toolbridge/bridge/catalog'
import type { CallToolResult, Progress } from '@toolbridge/client'
import { textBy } from '@toolbridge/client/internal'
import { parseCallArguments } from '../call-arguments.ts'
import { type Invocation, wantsJson } from '../command.ts'
import { requireConfiguration } from '../configuration.ts'
import { ExitCode } from '../exit-code.ts'
import { describeFailure, failureCode, hasNotStarted } from '../server-failure.ts'
import { openTerminalBridge } from '../terminal-bridge.ts'
import { printable } from '../printable.ts'
import { timeoutsFrom } from '../timeouts.ts'
import { print, printError, printJson, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function callTool({ positionals, options, terminal }: Invocation): Promise<ExitCode> {
  const asJson = wantsJson(options)
  const startAs = timeoutsFrom(options)
  const [name, ...words] = positionals
  if (name === undefined) throw new UsageError('missing tool. See: toolbridge tools')
  const loaded = await requireConfiguration(terminal, options)
  const servers = loaded.servers.filter((server) => mayHaveTool(server, name))
  // Every call needs it. Loading it takes milliseconds, in which the servers start.
  setImmediate(() => process.getBuiltinModule('node:crypto'))
  await using bridge = await openTerminalBridge(terminal, servers, { startAs })
  const tool = bridge.tool(name)
  if (tool === undefined) return missingTool(bridge, name, terminal)
  const args = parseCallArguments(words, tool.definition.inputSchema)
  const result = await bridge.call(tool.name, args, {
    signal: terminal.signal,
    onProgress: (progress) => showProgress(progress, terminal),
  })
  if (asJson) printJson(terminal, result, options['pretty'] === true)
  else show(result, bridge, terminal)
  return result.isError === true ? ExitCode.ToolFailed : ExitCode.Ok
}

/** Reports the servers that failed to start, which may have the tool. Throws if there are none. */
function missingTool(bridge: Bridge, name: string, terminal: Terminal): ExitCode {
  const failed = bridge.status().filter(hasNotStarted)
  const [disabled] = bridge.status().filter((server) => server.state === 'disabled')
  for (const line of failed.flatMap(describeFailure)) printError(terminal, line)
  if (failed.length > 0) return failureCode(failed)
  const because = disabled === undefined ? '' : `; server "${disabled.name}" is disabled`
  throw new UsageError(`unknown tool "${name}"${because}. See: toolbridge tools`)
}

/** Shows a result as the host of the server's definition would. */
function show(result: CallToolResult, { results }: Bridge, terminal: Terminal): void {
  const text = printable(textBy(results.policyOf(result), result))
  if (result.isError === true) printError(terminal, text)
  else print(terminal, text)
}

function showProgress({ progress, total, message }: Progress, terminal: Terminal): void {
  if (terminal.stderr.isTTY !== true) return
  const share = total === undefined ? `${progress}` : `${progress}/${total}`
  printError(terminal, printable(`… ${share}${message === undefined ? '' : ` ${message}`}`))
}
