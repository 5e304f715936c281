import { callToolRequestSchema, type ToolHints, type ToolSummary, type ToolsResponse } from '@toolbridge/api'
import type { BridgeTool } from '@toolbridge/bridge'
import type { ToolAnnotations } from '@toolbridge/client'
import { linkedSignal } from '@toolbridge/client/internal'
import type { Handler } from 'hono'
import { callOwnTool } from '../calls/call-own-tool.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { JsonResponse } from '../http/json-response.ts'
import { readBody } from '../http/read-body.ts'
import { callableTools } from '../owners/callable-tools.ts'
import { consoleOrigin } from '../owners/owner-bridge.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/tools`: lists the tools of the caller's servers that are ready, except those that rules deny. */
export function listTools({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const principal = context.var.principal.id
    const { bridge } = await owners.open(principal)
    const tools = callableTools(bridge, consoleOrigin(principal))
    return context.json({ tools: tools.map(summaryOf) } satisfies ToolsResponse)
  }
}

/**
 * `POST /api/tools/call`: calls a tool for the caller; aborting the request cancels the call. Waits until the tool's server
 * has started. Questions go to the inbox.
 */
export function callTool({ owners, inbox, calls, stopping }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id: principal, ended: revoked } = context.var.principal
    const request = await readBody(context, callToolRequestSchema)
    using ended = linkedSignal(context.req.raw.signal, stopping, revoked)
    const result = await calls.run(principal, () =>
      callOwnTool({ owners, inbox }, principal, request, { signal: ended.signal }),
    )
    return new JsonResponse(result)
  }
}

function summaryOf({ name, server, rawName, uri, definition }: BridgeTool): ToolSummary {
  const { title, description, inputSchema, annotations } = definition
  const hints = annotations && hintsOf(annotations)
  return {
    name,
    server,
    rawName,
    uri,
    inputSchema,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(hints === undefined || Object.keys(hints).length === 0 ? {} : { hints }),
  }
}

/** Servers write anything here, so what is not true or false is left out. */
function hintsOf(annotations: ToolAnnotations): ToolHints {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  return {
    ...(typeof readOnlyHint === 'boolean' ? { readOnly: readOnlyHint } : {}),
    ...(typeof destructiveHint === 'boolean' ? { destructive: destructiveHint } : {}),
    ...(typeof idempotentHint === 'boolean' ? { idempotent: idempotentHint } : {}),
    ...(typeof openWorldHint === 'boolean' ? { openWorld: openWorldHint } : {}),
  }
}
