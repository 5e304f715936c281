import { importFoundRequestSchema, type ImportFoundRequest } from '@toolbridge/api'
import type { ServerSpec } from '@toolbridge/bridge/config'
import type { Context, Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import { pointerTo } from '../errors/issues.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { notFound } from '../middleware/problem.ts'
import type { GatewayServices } from '../services.ts'
import type { FoundServers } from '../settings/found-servers.ts'
import { importServers } from '../settings/import-servers.ts'
import { localPrincipal } from '../sign-in/principal.ts'

/** `GET /api/found`: lists the servers in the files of MCP hosts on this machine, for the person who runs the gateway. */
export function listFound(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const found = foundFor(context, services)
    const rules = services.owners.savingRules(context.var.principal.id)
    return context.json(await found.list(rules, context.req.raw.signal))
  }
}

/** `POST /api/found/import`: saves servers of those files. Their values do not leave the gateway. */
export function importFound(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const found = foundFor(context, services)
    const { servers, ...choices } = await readBody(context, importFoundRequestSchema)
    const specs = chosenSpecs(servers, await found.byId(context.req.raw.signal))
    const reading = { servers: specs.map(({ spec, id }) => ({ ...spec, name: id })), issues: [] }
    const named = specs.map(({ spec, id, as = spec.name, replaces }) => ({ name: id, as, replaces }))
    const owner = context.var.principal.id
    return context.json(await importServers(services, owner, reading, { ...choices, servers: named }))
  }
}

/** Others get the response of a route that does not exist. */
function foundFor(context: Context<GatewayEnv>, { foundServers }: GatewayServices): FoundServers {
  const { principal } = context.var
  if (foundServers === undefined || principal.id !== localPrincipal.id || principal.role !== 'owner')
    throw notFound(context)
  return foundServers
}

type ChosenSpec = ImportFoundRequest['servers'][number] & { readonly spec: ServerSpec }

function chosenSpecs(
  servers: ImportFoundRequest['servers'],
  specs: ReadonlyMap<string, ServerSpec>,
): readonly ChosenSpec[] {
  const unknown = servers.flatMap(({ id }, index) =>
    specs.has(id) ? [] : [pointerTo(['servers', index, 'id'])],
  )
  if (unknown.length > 0) {
    const message = 'the server is no longer in its file as it was listed; look again'
    const issues = unknown.map((path) => ({ path, message }))
    throw new GatewayError('invalid_request', 'nothing was saved', issues)
  }
  return servers.flatMap((server) => {
    const spec = specs.get(server.id)
    return spec === undefined ? [] : [{ ...server, spec }]
  })
}
