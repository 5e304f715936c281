import { callToolRequestSchema, type ToolSummary, type ToolsResponse } from '@toolbridge/api'
import type { BridgeTool } from '@toolbridge/bridge'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../env.ts'
import { GatewayError } from '../gateway-error.ts'
import { consoleConversation } from '../owner-bridge.ts'
import { readBody } from '../request-body.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/tools`: the tools of the caller's servers that are ready now. */
export function listTools({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { bridge } = await owners.open(context.var.principal.id)
    return context.json({ tools: bridge.tools.map(summaryOf) } satisfies ToolsResponse)
  }
}

/** `POST /api/tools/call`: one call, made by the person and cancelled when the request is. Questions go to the inbox. */
export function callTool({ owners, desk, stopping }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const principal = context.var.principal.id
    const request = await readBody(context, callToolRequestSchema)
    const owner = await owners.open(principal)
    const bridge = await owner.settled()
    if (bridge.tool(request.tool) === undefined) {
      throw new GatewayError('unknown_tool', `no server that is ready has a tool "${request.tool}"`)
    }
    const result = await bridge.call(request.tool, request.arguments ?? {}, {
      origin: { principal, conversation: consoleConversation },
      answerer: desk.answererFor(principal),
      signal: AbortSignal.any([context.req.raw.signal, stopping]),
    })
    return context.json(result)
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
