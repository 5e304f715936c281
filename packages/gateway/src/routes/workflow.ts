import { type WorkflowInvokeResponse, workflowInvokeRequestSchema } from '@toolbridge/api'
import { linkedSignal } from '@toolbridge/client/internal'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { JsonResponse } from '../http/json-response.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'

/** `POST /api/workflow/invoke`: runs the nodes with the caller's saved servers. Aborting the request cancels the run. */
export function invoke(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const request = await readBody(context, workflowInvokeRequestSchema)
    using ended = linkedSignal(context.req.raw.signal, services.stopping, context.var.principal.ended)
    const { principal } = context.var
    const run = (): Promise<WorkflowInvokeResponse> =>
      services.workflows.invoke(principal, request, ended.signal)
    return new JsonResponse(await services.calls.run(principal.id, run))
  }
}
