import type { BridgeTool } from '@toolbridge/bridge'
import { parametersOf } from '../arguments/parameters.ts'
import { type Invocation, textOptions } from '../command.ts'
import { printResult } from '../display/print-result.ts'
import type { ExitCode } from '../exit-code.ts'
import { beginClosing, openSelected, reportFailures } from '../servers/selected-servers.ts'
import { describeTools, toolFilter } from '../servers/tool-list.ts'
import { print, printError } from '../terminal.ts'

export async function listTools(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  await using bridge = await openSelected(invocation)
  const [all, states] = [[...bridge.tools], bridge.status()]
  const denied = bridge.deniedTools()
  await beginClosing(bridge)
  const tools = all.filter(toolFilter(textOptions(options, 'filter')))
  printResult(invocation, { tools: tools.map((tool) => summary(tool, denied)) }, () => {
    const hasDetails = options['details'] === true
    for (const line of describeTools(tools, terminal, { denied, hasDetails })) print(terminal, line)
    if (tools.length > 0) return
    if (all.length > 0) printError(terminal, `toolbridge: none of ${all.length} tools matches --filter`)
    else if (states.some(({ state }) => state === 'ready'))
      printError(terminal, 'toolbridge: there are no tools')
  })
  return reportFailures(states, terminal)
}

function summary(
  { name, server, rawName, uri, definition }: BridgeTool,
  denied: ReadonlyMap<string, string>,
): object {
  const { title, description, inputSchema, outputSchema, annotations } = definition
  return {
    name,
    server,
    rawName,
    uri,
    title,
    description,
    parameters: parametersOf(inputSchema),
    inputSchema,
    outputSchema,
    annotations,
    ...(denied.has(name) ? { denied: denied.get(name) } : {}),
  }
}
