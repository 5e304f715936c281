import {
  completeArgumentRequestSchema,
  readResourceRequestSchema,
  type ResourcesResponse,
  type ResourceSummary,
  type ResourceTemplateSummary,
  type SubscribeResourceResponse,
} from '@toolbridge/api'
import type { ServerItem } from '@toolbridge/bridge'
import type { Resource, ResourceTemplate } from '@toolbridge/client'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { unknownServer } from '../errors/gateway-error.ts'
import { approveOwnRequest } from '../inbox/approve-own-request.ts'
import { requestOwn } from './own-request.ts'
import { consoleOrigin } from '../owners/owner-bridge.ts'
import type { Subscribing } from '../owners/resource-subscriptions.ts'
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

/** `POST /api/resources/subscribe`: tells the caller of changes of a resource, by events, until it expires. */
export function subscribeResource(services: GatewayServices): Handler<GatewayEnv> {
  const { owners, inbox, subscriptions } = services
  return async (context) => {
    const resource = await readBody(context, readResourceRequestSchema)
    const { id: principal, ended } = context.var.principal
    const owner = await owners.open(principal)
    const { server, uri } = resource
    if (!owner.has(server)) throw unknownServer(server)
    const { resources } = owner.bridge
    const origin = consoleOrigin(principal)
    const answerer = approveOwnRequest(inbox.answererFor(principal))
    const subscribing: Subscribing = {
      subscribe: (options) => resources.subscribe(server, uri, { ...options, origin, answerer }),
      isDenied: () => resources.permissionFor(server, uri, { origin }).verdict === 'deny',
      revoked: ended,
    }
    const expiresAt = await subscriptions.renew(principal, resource, subscribing)
    return context.json({ expiresAt: expiresAt.toISOString() } satisfies SubscribeResourceResponse)
  }
}

/** `POST /api/resources/unsubscribe`: ends a subscription of the caller. */
export function unsubscribeResource({ subscriptions }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const resource = await readBody(context, readResourceRequestSchema)
    subscriptions.end(context.var.principal.id, resource)
    return context.json({ success: true })
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
