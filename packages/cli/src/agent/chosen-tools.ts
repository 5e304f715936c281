import type { AgentOptions } from '@toolbridge/agent'
import { type Bridge, DeniedError } from '@toolbridge/bridge'
import { McpError, McpErrorCode } from '@toolbridge/client'
import { type Options, textOptions } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { failureCode, hasNotStarted } from '../server-failure.ts'
import { findTool, nearestTool } from '../servers/find-tool.ts'
import { UsageError } from '../usage-error.ts'

/** The tools that `--tool` names. Throws if there is no such tool. */
export function chosenTools(options: Options, bridge: Bridge): Pick<AgentOptions, 'only'> {
  const names = textOptions(options, 'tool')
  return names.length === 0 ? {} : { only: names.map((name) => requireTool(bridge, name)) }
}

function requireTool(bridge: Bridge, name: string): string {
  const tool = findTool(bridge.tools, name)
  if (tool === undefined) throw missingTool(bridge, name)
  return tool.name
}

/** A server that failed to start, and was reported, may have the tool. */
function missingTool(bridge: Bridge, name: string): Error {
  const failed = bridge.status().filter(hasNotStarted)
  const nearest = nearestTool(bridge.tools, name)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  if (failed.length === 0) return new UsageError(`unknown tool "${name}".${hint} See: toolbridge tools`)
  const message = `no server that started has the tool "${name}".${hint}`.trimEnd()
  return failureCode(failed) === ExitCode.Denied
    ? new DeniedError(message, { code: 'untrusted' })
    : new McpError(message, { kind: 'unreachable', code: McpErrorCode.InternalError })
}
