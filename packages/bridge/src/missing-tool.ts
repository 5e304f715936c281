import { McpError, McpErrorCode } from '@toolbridge/client'
import type { ToolTable } from './catalog/tool-table.ts'
import { UnknownToolError } from './errors.ts'
import type { Redaction } from './journal/redaction/redaction.ts'
import type { Upstream } from './upstream/upstream.ts'

/** The error of a call of a tool that is not in the catalog: why a server that may have it is not running, if one is not. */
export function missingTool(
  name: string,
  upstreams: readonly Upstream[],
  tools: ToolTable,
  redaction: Redaction,
): Error {
  const gone = upstreams
    .filter(({ spec }) => tools.mayHave(spec, name))
    .map((upstream) => redaction.status(upstream.status))
    .find(({ state }) => state === 'failed' || state === 'down')
  if (gone === undefined) return new UnknownToolError(name)
  const message = `server "${gone.name}" is not running: ${gone.error ?? gone.state}`
  return new McpError(message, { kind: 'unreachable', code: McpErrorCode.ConnectionClosed })
}
