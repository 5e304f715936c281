import { readFileSync } from 'node:fs'
import { paths } from '@toolbridge/api'
import { type OpenApiDocument, operations } from '@toolbridge/api/openapi'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiPage } from '../../../scripts/api-page.mjs'
import { reusePath } from '../src/reuse/reuse-answer.ts'
import { createAjv, schemaViolations } from './support/contract.ts'
import { createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let document: OpenApiDocument
beforeAll(async () => {
  gateway = createTestGateway({
    lockbox,
    ownerToken: canary('relay'),
    protectedResource: { resource: 'https://tools.example/mcp', issuer: 'https://issuer.example' },
  })
  document = await (await gateway.as('ada').get(paths.openApi)).json()
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** Why others than operations need no token. */
const openElsewhere: Readonly<Record<string, string>> = {
  [paths.protectedResource]: 'names the issuer at which hosts get a token (RFC 9728)',
  [reusePath]:
    'proves to commands of the same user that it is their gateway; without the owner’s token it says nothing',
}

/** Their contracts are the MCP specification, RFC 9728 and that of the command. */
const undescribed = /^\/mcp|^\/reuse|^\/\.well-known\//

test('the document describes every route, and nothing else', () => {
  const routes = gateway.app.routes
    .filter(({ method, path }) => method !== 'ALL' && !undescribed.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const hint = 'describe a new route in packages/api/src/openapi/operations'
  expect(described.toSorted(), hint).toEqual([...new Set(routes)].toSorted())
})

/** Headers of a request by nobody: none, and tokens that are not of this gateway or of no form. */
const nobody: readonly Readonly<Record<string, string>>[] = [
  {},
  { authorization: 'Bearer x' },
  { authorization: 'Bearer ' },
  { authorization: 'Bearer null' },
  { authorization: 'Basic YWRhOmFkYQ==' },
  { authorization: 'undefined' },
]

test('every operation and other route denies nobody’s requests, or says why it does not, advisory [A6]', async () => {
  const open = operations.filter(({ access }) => access === 'anyone')
  expect(open.filter(({ openBecause = '' }) => !/^[A-Z].+\.$/.test(openBecause))).toEqual([])
  expect(operations.filter((each) => each.openBecause !== undefined && !open.includes(each))).toEqual([])
  const others = gateway.app.routes
    .filter(({ path }) => undescribed.test(path) && !(path in openElsewhere))
    .map(({ method, path }) => ({ method: method === 'ALL' ? 'POST' : method, path }))
  expect(others.map(({ path }) => path)).toContain(paths.mcp)
  const denying = [...operations.filter((each) => !open.includes(each)), ...others]
  for (const { method, path } of denying)
    for (const headers of nobody) {
      const response = await gateway.app.request(path, { method: method.toUpperCase(), headers })
      expect([path, response.status]).toEqual([path, 401])
      expect(await response.json()).toMatchObject({ code: 'unauthenticated' })
    }
})

test('what needs no token works without one, and tells nothing of a person', async () => {
  const open = operations.filter(({ access }) => access === 'anyone')
  for (const { path } of open.filter(({ method }) => method === 'get')) {
    const response = await gateway.app.request(path)
    expect([path, response.status]).toEqual([path, 200])
    expect(await response.text()).not.toMatch(/\b(?:ada|bob|local)\b/)
  }
})

test('every schema is valid JSON Schema 2020-12 and every reference leads to one', () => {
  const ajv = createAjv(document)
  for (const name of Object.keys(document.components.schemas))
    expect(ajv.getSchema(`openapi#/components/schemas/${name}`), name).toBeTypeOf('function')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  expect(references.filter((ref) => !known.includes(ref))).toEqual([])
  expect(known.filter((name) => !references.includes(name))).toEqual([])
})

test('a schema refuses a value that has another shape', () => {
  expect(schemaViolations('ServersResponse', '{"servers":[]}', 'x')).toEqual([])
  expect(schemaViolations('ServersResponse', '{"servers":[{}]}', 'x')).not.toEqual([])
  expect(schemaViolations('ServersResponse', '{"servers":[],"more":1}', 'x')).not.toEqual([])
})

/** https://spec.openapis.org/oas/v3.1.1.html: fixed fields, path templating, parameter, operation and response objects. */
test('the document follows the rules of OpenAPI 3.1', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/)
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
  const found = operationsIn(document)
  const ids = found.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, method, operation } of found) {
    expect(path).toMatch(/^\//)
    expect(['get', 'put', 'post', 'patch', 'delete']).toContain(method)
    const { parameters = [], responses, requestBody, tags, security } = operation
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    expect(inPath.every(({ required }) => required === true)).toBe(true)
    expect(new Set(parameters.map((each) => `${each.in} ${each.name}`)).size).toBe(parameters.length)
    expect(Object.keys(responses)).toEqual(['200', 'default'])
    for (const response of Object.values(responses)) expect(response.description).not.toBe('')
    if (requestBody !== undefined) expect(['post', 'put', 'patch']).toContain(method)
    for (const tag of tags) expect(document.tags.map(({ name }) => name)).toContain(tag)
    for (const scheme of (security ?? document.security).flatMap((each) => Object.keys(each)))
      expect(document.components.securitySchemes).toHaveProperty(scheme)
  }
})

interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, { readonly description: string }>>
  readonly security?: readonly object[]
}

interface DescribedOperation {
  readonly path: string
  readonly method: string
  readonly operation: OperationObject
}

function operationsIn({ paths: items }: OpenApiDocument): readonly DescribedOperation[] {
  const read: Readonly<Record<string, Readonly<Record<string, OperationObject>>>> = JSON.parse(
    JSON.stringify(items),
  )
  return Object.entries(read).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
}

test('docs/api.md lists the operations of the contract', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  expect(page, 'run npm run build && node scripts/generate-api.mjs').toBe(apiPage(operations))
})
