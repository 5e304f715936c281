import { z } from 'zod'
import { serverEntrySchema } from '../config.ts'
import { requests, responses } from './components.ts'
import type { Access, Operation } from './operation.ts'
import { operations } from './operations/all.ts'

type Json = Readonly<Record<string, unknown>>

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly security: readonly Json[]
  readonly tags: readonly { readonly name: string }[]
  /** Operations by path and lower-case method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly securitySchemes: Readonly<Record<string, Json>>
  }
}

/** Returns the OpenAPI description of the HTTP API. `version` is that of the gateway. */
export function openApiDocument(version: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: { title: 'Toolbridge gateway', version, description },
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: pathItems(),
    components: {
      schemas: {
        ...schemasOf(responses, { io: 'output', override: leaveOpen }),
        ...schemasOf(requests, { io: 'input', override: nameServerEntry }),
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const description =
  'Every request concerns the principal of the bearer token. Errors are problem documents (RFC 9457) with a stable `code`. Clients must ignore unknown fields of responses.'

function refTo(name: string): string {
  return `#/components/schemas/${name}`
}

/** A later version may add fields to responses. */
function leaveOpen({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown } }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

/** A server in a request is parsed by a function, which has no schema. */
function nameServerEntry({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  if (zodSchema === serverEntrySchema) Object.assign(jsonSchema, { $ref: refTo('ServerEntry') })
}

function schemasOf(
  named: Readonly<Record<string, z.ZodType>>,
  options: Omit<NonNullable<Parameters<typeof z.toJSONSchema>[1]>, 'uri'>,
): Readonly<Record<string, Json>> {
  const registry = z.registry<{ id?: string | undefined }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { ...options, uri: refTo })
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, component(schema)]))
}

/** The name of a component is its key, and the dialect is that of OpenAPI 3.1. */
function component({ $id: _id, $schema: _schema, ...schema }: Json): Json {
  return schema
}

function pathItems(): OpenApiDocument['paths'] {
  const items: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const item = (items[operation.path] ??= {})
    item[operation.method] = operationObject(operation)
  }
  return items
}

function operationObject(operation: Operation): Json {
  const { id, tag, summary, access, request, openBecause } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: openBecause === undefined ? accessText[access] : `${accessText[access]} ${openBecause}`,
    ...(access === 'anyone' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': schemaOf(request) } } }),
    responses: {
      200: { description: 'Success', content: contentOf(operation) },
      default: {
        description: 'A problem document',
        content: { 'application/problem+json': schemaOf('Problem') },
      },
    },
  }
}

const accessText: Readonly<Record<Access, string>> = {
  anyone: 'Needs no token.',
  api: 'Needs a sign-in, or an API key with the scope `api`.',
  account: 'Needs a sign-in.',
  owner: 'Needs the owner token.',
}

function parametersOf({ path, query = {} }: Operation): readonly Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query).map(([name, text]) => ({
    name,
    in: 'query',
    description: text,
    schema: { type: 'string' },
  }))
  return [...inPath, ...inQuery]
}

/** The schema of an event stream is that of the JSON in the field `data` of each event. */
function contentOf({ response, isStream = false }: Operation): Json {
  return { [isStream ? 'text/event-stream' : 'application/json']: schemaOf(response) }
}

function schemaOf(name: string): Json {
  return { schema: { $ref: refTo(name) } }
}
