import { type OpenApiDocument, openApiDocument, type Operation, operations } from '@toolbridge/api/openapi'
import { after } from '@toolbridge/testkit/secrets'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Hono } from 'hono'
import type { GatewayEnv } from '../../src/http/gateway-env.ts'

/** What the requests of a test violate. */
export interface ContractCheck {
  /** Resolves with every violation so far, once all responses have been read. */
  violations(): Promise<readonly string[]>
}

/** Compares the requests that an application accepts, and its responses, with the OpenAPI document. */
export function checkContract(app: Hono<GatewayEnv>): ContractCheck {
  const checking: Promise<readonly string[]>[] = []
  after(app, 'request', (answer, { given: [path, init] }) => {
    if (typeof path !== 'string') return
    const copied = Promise.resolve(answer as Response | Promise<Response>).then(copyOf, () => undefined)
    const checked = copied.then((copy) => violationsOf(path, init as RequestInit | undefined, copy))
    checking.push(checked.catch((error: unknown) => [`${path}: ${String(error)}`]))
  })
  return { violations: async () => (await Promise.all(checking)).flat() }
}

interface Copy {
  readonly isProblem: boolean
  readonly text: Promise<string>
}

/** Made before the test reads the body. A stream is not copied: it would not end when the test cancels it. */
function copyOf(response: Response): Copy | undefined {
  const type = response.headers.get('content-type') ?? ''
  if (!/^application\/(?:problem\+)?json/.test(type)) return undefined
  const isProblem = type.startsWith('application/problem')
  return { isProblem, text: response.clone().text() }
}

async function violationsOf(
  path: string,
  { method = 'GET', body }: RequestInit = {},
  copy: Copy | undefined,
): Promise<readonly string[]> {
  const operation = operationOf(method, path)
  if (copy === undefined || operation === undefined) return []
  const { response, request } = operation
  const text = await copy.text
  if (copy.isProblem) return schemaViolations('Problem', text, path)
  const isDescribed = request !== undefined && typeof body === 'string'
  const sent = isDescribed ? schemaViolations(request, body, `${path} sent`) : []
  return [...sent, ...schemaViolations(response, text, path)]
}

function operationOf(method: string, target: string): Operation | undefined {
  const [path = ''] = target.split('?')
  return operations.find(
    (operation) => operation.method === method.toLowerCase() && patternOf(operation.path).test(path),
  )
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Returns why a JSON text does not match a schema of the document. Unknown fields are violations, too. */
export function schemaViolations(name: string, text: string, where: string): readonly string[] {
  const validate = validatorOf(name)
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${where}: ${name}${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Compiled once: it takes longer than most tests. */
const compiled: { ajv?: Ajv2020 } = {}

function validatorOf(name: string): ValidateFunction {
  compiled.ajv ??= createAjv(openApiDocument('0'))
  const validate = compiled.ajv.getSchema(`openapi#/components/schemas/${name}`)
  if (validate === undefined) throw new TypeError(`the document has no schema ${name}`)
  return validate
}

/** A validator with all schemas of a document. Throws if one is not valid JSON Schema. */
export function createAjv({ components }: OpenApiDocument): Ajv2020 {
  // The keyword "components" is one of OpenAPI.
  const ajv = new Ajv2020({
    validateFormats: false,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
  })
  ajv.addKeyword('components')
  ajv.addSchema({ $id: 'openapi', components: closed(components) as object })
  return ajv
}

/** Closes the objects that the document leaves open for later versions. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isOpen = 'type' in copy && 'properties' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}
