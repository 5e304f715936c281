import { type Bridge, type BridgeTool, toText } from '@toolbridge/bridge'
import type { CallToolResult, Progress } from '@toolbridge/client'
import { parseCallArguments } from '../call-arguments.ts'
import { type Command, formatOptions, type Invocation, textOption, wantsJson } from '../command.ts'
import { requireConfiguration } from '../configuration.ts'
import { ExitCode } from '../exit-code.ts'
import { openTerminalBridge } from '../session.ts'
import { print, printable, printError, printJson, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export const callCommand: Command = {
  name: 'call',
  summary: 'Call one tool',
  usage: [
    'Usage: toolbridge call <tool> [<json> | name=value …] [--format json [--pretty]]',
    '',
    'Calls a tool by the name `toolbridge tools` prints, or by its mcp:// address. A question of the server is asked',
    'here when this is a terminal, and declined otherwise.',
    '',
    'Examples:',
    '  toolbridge call hello__hello name=Ada',
    `  toolbridge call hello__repeat '{"text": "again", "count": 3}'`,
    '  toolbridge call mcp://hello/hello --format json --pretty',
  ].join('\n'),
  options: formatOptions,
  run: callTool,
}

async function callTool({ positionals, options, terminal }: Invocation): Promise<ExitCode> {
  const asJson = wantsJson(options)
  const [name, ...words] = positionals
  if (name === undefined) throw new UsageError('which tool? See: toolbridge tools')
  const loaded = await requireConfiguration(terminal, textOption(options, 'mcp'))
  await using bridge = await openTerminalBridge(terminal, loaded.servers)
  const tool = requireTool(bridge, name)
  const args = parseCallArguments(words, tool.definition.inputSchema)
  const result = await bridge.call(tool.name, args, {
    signal: terminal.signal,
    onProgress: (progress) => showProgress(progress, terminal),
  })
  show(result, asJson, options['pretty'] === true, terminal)
  return result.isError === true ? ExitCode.ToolFailed : ExitCode.Ok
}

function requireTool(bridge: Bridge, name: string): BridgeTool {
  const tool = bridge.tool(name)
  if (tool !== undefined) return tool
  const failed = bridge.status().filter((server) => server.state === 'failed')
  const because = failed.map(
    (server) => `\n${server.name} did not start: ${server.error ?? 'unknown reason'}`,
  )
  throw new UsageError(`there is no tool "${name}". See: toolbridge tools${because.join('')}`)
}

function show(result: CallToolResult, asJson: boolean, pretty: boolean, terminal: Terminal): void {
  if (asJson) printJson(terminal, result, pretty)
  else if (result.isError === true) printError(terminal, printable(toText(result)))
  else print(terminal, printable(toText(result)))
}

function showProgress({ progress, total, message }: Progress, terminal: Terminal): void {
  if (terminal.stderr.isTTY !== true) return
  const share = total === undefined ? `${progress}` : `${progress}/${total}`
  printError(terminal, printable(`… ${share}${message === undefined ? '' : ` ${message}`}`))
}
