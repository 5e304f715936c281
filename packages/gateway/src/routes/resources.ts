import {
  completeArgumentRequestSchema,
  readResourceRequestSchema,
  type ResourcesResponse,
  type ResourceSummary,
  type ResourceTemplateSummary,
} from '@toolbridge/api'
import type { ServerItem } from '@toolbridge/bridge'
import type { Resource, ResourceTemplate } from '@toolbridge/client'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { requestOwn } from './own-request.ts'
import { consoleOrigin } from '../owners/owner-bridge.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/resources`: lists the resources and templates of the caller's servers, except those that rules deny. */
export function listResources({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id: principal } = context.var.principal
    const origin = consoleOrigin(principal)
    const { resources } = (await owners.open(principal)).bridge
    const { signal } = context.req.raw
    const isDenied = (server: string, uri: string): boolean =>
      resources.permissionFor(server, uri, { origin }).verdict === 'deny'
    const [listed, templates] = await Promise.all([
      resources.list({ signal }),
      resources.templates({ signal }),
    ])
    const answer: ResourcesResponse = {
      resources: listed.filter(({ server, definition }) => !isDenied(server, definition.uri)).map(resourceOf),
      templates: templates
        .filter(({ server, definition }) => !isDenied(server, definition.uriTemplate))
        .map(templateOf),
    }
    return context.json(answer)
  }
}

/** `POST /api/resources/read`: reads a resource for the caller. Questions go to the inbox. */
export function readResource(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { server, uri } = await readBody(context, readResourceRequestSchema)
    const result = await requestOwn(services, context, server, ({ bridge }, options) =>
      bridge.resources.read(server, uri, options),
    )
    return context.json(result)
  }
}

/** `POST /api/complete`: suggests values for an argument of a prompt or of a template. */
export function completeArgument(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { server, ref, argument, context: given } = await readBody(context, completeArgumentRequestSchema)
    const request = { ref, argument, ...(given === undefined ? {} : { context: given }) }
    const completion = await requestOwn(services, context, server, ({ bridge }, options) =>
      bridge.resources.complete(server, request, options),
    )
    return context.json(completion)
  }
}

function resourceOf({ server, definition }: ServerItem<Resource>): ResourceSummary {
  const { uri, size } = definition
  return { ...commonsOf(server, definition), uri, ...(size === undefined ? {} : { size }) }
}

function templateOf({ server, definition }: ServerItem<ResourceTemplate>): ResourceTemplateSummary {
  return { ...commonsOf(server, definition), uriTemplate: definition.uriTemplate }
}

function commonsOf(
  server: string,
  { name, title, description, mimeType }: Resource | ResourceTemplate,
): Omit<ResourceSummary, 'uri' | 'size'> {
  return {
    server,
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
  }
}
