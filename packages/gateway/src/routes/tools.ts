import { callToolRequestSchema, type ToolSummary, type ToolsResponse } from '@toolbridge/api'
import type { Answerer, BridgeTool } from '@toolbridge/bridge'
import { linkedSignal } from '@toolbridge/client/internal'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { consoleConversation } from '../owners/owner-bridge.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/tools`: the tools of the caller's servers that are ready now. */
export function listTools({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { bridge } = await owners.open(context.var.principal.id)
    return context.json({ tools: bridge.tools.map(summaryOf) } satisfies ToolsResponse)
  }
}

/**
 * `POST /api/tools/call`: one call, made by the person and cancelled when the request is. Waits for the tool's own server
 * to start and for no other; questions go to the inbox.
 */
export function callTool({ owners, inbox, stopping }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const principal = context.var.principal.id
    const request = await readBody(context, callToolRequestSchema)
    using ended = linkedSignal(context.req.raw.signal, stopping)
    const { signal } = ended
    const { bridge } = await owners.open(principal)
    if ((await bridge.findTool(request.tool, { signal })) === undefined) {
      throw new GatewayError('unknown_tool', `no server that is ready has a tool "${request.tool}"`)
    }
    const result = await bridge.call(request.tool, request.arguments ?? {}, {
      origin: { principal, conversation: consoleConversation },
      answerer: agreedBefore(inbox.answererFor(principal)),
      signal,
    })
    return context.json(result)
  }
}

/**
 * Who presses the button in the console has agreed to the call, but not to a tool that is no longer what it was. A rule
 * that denies it was heard before.
 */
function agreedBefore(answerer: Answerer): Answerer {
  return {
    ...answerer,
    async ask(question, options) {
      const isAgreed = question.kind === 'approval' && question.change === undefined
      return isAgreed ? { action: 'accept' } : answerer.ask(question, options)
    },
  }
}

function summaryOf({ name, server, rawName, uri, definition }: BridgeTool): ToolSummary {
  const { title, description, inputSchema } = definition
  return {
    name,
    server,
    rawName,
    uri,
    inputSchema,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  }
}
