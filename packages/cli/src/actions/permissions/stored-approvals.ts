import { localPrincipal, terminalGrantsOf } from '../../terminal-bridge.ts'
import type { Terminal } from '../../terminal.ts'
import type { ExplainedCall } from './explained-call.ts'

/** The number of permanent approvals of a tool for calls typed at a terminal. */
export async function storedApprovals(terminal: Terminal, { spec, tool }: ExplainedCall): Promise<number> {
  const grants = await terminalGrantsOf(terminal).list(localPrincipal)
  return grants.filter((grant) => grant.server === spec.name && grant.tool === tool).length
}
