import type { CallToolRequest } from '@toolbridge/api'
import type { CallOptions } from '@toolbridge/bridge'
import type { CallToolResult } from '@toolbridge/client'
import { approveOwnRequest } from '../inbox/approve-own-request.ts'
import type { QuestionInbox } from '../inbox/question-inbox.ts'
import { consoleOrigin } from '../owners/owner-bridge.ts'
import type { OwnerBridges } from '../owners/owner-bridges.ts'

/** What `callOwnTool` uses. */
export interface OwnToolServices {
  readonly owners: Pick<OwnerBridges, 'open'>
  readonly inbox: Pick<QuestionInbox, 'answererFor'>
}

/** Calls a tool of a principal, as in the console. Waits until its server has started. Questions go to the inbox. */
export async function callOwnTool(
  { owners, inbox }: OwnToolServices,
  principal: string,
  { tool, arguments: args = {} }: CallToolRequest,
  options: Pick<CallOptions, 'onProgress' | 'onStart' | 'signal'>,
): Promise<CallToolResult> {
  const { bridge } = await owners.open(principal)
  return bridge.call(tool, args, {
    ...options,
    origin: consoleOrigin(principal),
    answerer: approveOwnRequest(inbox.answererFor(principal)),
  })
}
