import { getPromptRequestSchema, type PromptSummary, type PromptsResponse } from '@toolbridge/api'
import type { ServerItem } from '@toolbridge/bridge'
import type { Prompt, PromptArgument } from '@toolbridge/client'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { requestOwn } from './own-request.ts'
import { consoleOrigin } from '../owners/owner-bridge.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/prompts`: lists the prompts of the caller's servers, except those that rules deny. */
export function listPrompts({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id: principal } = context.var.principal
    const origin = consoleOrigin(principal)
    const { prompts } = (await owners.open(principal)).bridge
    const listed = await prompts.list({ signal: context.req.raw.signal })
    const permitted = listed.filter(
      ({ server, definition }) =>
        prompts.permissionFor(server, definition.name, { origin }).verdict !== 'deny',
    )
    return context.json({ prompts: permitted.map(promptOf) } satisfies PromptsResponse)
  }
}

/** `POST /api/prompts/get`: gets the messages of a prompt for the caller. Questions go to the inbox. */
export function getPrompt(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { server, name, arguments: args = {} } = await readBody(context, getPromptRequestSchema)
    const result = await requestOwn(services, context, server, ({ bridge }, options) =>
      bridge.prompts.get(server, name, args, options),
    )
    return context.json(result)
  }
}

function promptOf({ server, definition }: ServerItem<Prompt>): PromptSummary {
  const { name, arguments: args } = definition
  return {
    server,
    name,
    ...described(definition),
    ...(args === undefined ? {} : { arguments: args.map(argumentOf) }),
  }
}

function argumentOf(argument: PromptArgument): NonNullable<PromptSummary['arguments']>[number] {
  const { name, required } = argument
  return { name, ...described(argument), ...(required === undefined ? {} : { required }) }
}

function described({
  title,
  description,
}: Prompt | PromptArgument): Pick<PromptSummary, 'title' | 'description'> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  }
}
