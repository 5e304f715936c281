/**
 * The requests of a person: every operation of the OpenAPI document with text in every place, and every JSON-RPC method of `/mcp`.
 *
 * @typedef {object} RequestRow
 * @property {string} name
 * @property {string} method
 * @property {'api' | 'mcp'} by Whose key is sent.
 * @property {number} limit Characters of the largest input.
 * @property {(text: string) => { path: string, body?: string, headers?: Record<string, string> }} request
 */
import { openApiDocument } from '@toolbridge/api/openapi'
import { methodRows } from './methods.mjs'
import { placesIn } from './places.mjs'

/** Limits of bodies, as docs/deploy.md lists them: of calls, of texts to read, and of everything else. */
const maxBodyBytes = 4 * 1024 * 1024
const maxTextBytes = 1024 * 1024
const maxOtherBytes = 256 * 1024
/** Operations whose bodies may be longer than others. */
const longBodies = /** @type {Readonly<Record<string, number>>} */ ({
  callTool: maxBodyBytes,
  startCall: maxBodyBytes,
  invokeWorkflow: maxBodyBytes,
  explainText: maxTextBytes,
  importServers: maxTextBytes,
})
const maxTextLength = 262_144
/** Node refuses longer lines of a request. */
const maxPath = 12_000
/** What answers without an end, or ends what is measured. */
export const unasked = /** @type {Readonly<Record<string, string>>} */ ({
  followEvents: 'a stream that takes no text',
  followServerLog: 'a stream; the name in its path is that of readServer',
  signOut: 'ends the key that the bench uses; takes no text',
  rotateStoreKeys: 'of the owner; re-encrypts the store, whatever is sent',
  verifyStore: 'of the owner, who may read the store as long as it takes',
  removePerson: 'of administrators; the id in its path is looked up',
})

/** Values of fields that must be right for the rest of a request to be looked at. */
const fitting = /** @type {Readonly<Record<string, object>>} */ ({
  callTool: { tool: 'bench__echo' },
  startCall: { tool: 'bench__echo' },
  testPermission: { tool: 'bench__echo' },
  readResource: { server: 'bench' },
  subscribeResource: { server: 'bench' },
  unsubscribeResource: { server: 'bench' },
  getPrompt: { server: 'bench' },
  completeArgument: { server: 'bench' },
})

/** @returns {RequestRow[]} */
export function requestRows() {
  return [...operationRows(), ...knownRows(), ...methodRows(maxBodyBytes)]
}

/** All operations, by id. */
export function operationIds() {
  const { paths } = openApiDocument(/** @type {any} */ ({ url: 'http://localhost', version: '1' }))
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((/** @type {any} */ each) => each.operationId),
  )
}

/** @returns {RequestRow[]} */
function operationRows() {
  const document = /** @type {any} */ (
    openApiDocument(/** @type {any} */ ({ url: 'http://localhost', version: '1' }))
  )
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (operation.operationId in unasked) return []
      const schemas = document.components.schemas
      return [...inPath(path, method, operation), ...inBody(path, method, operation, schemas)]
    }),
  )
}

/**
 * @param {string} path
 * @param {string} method
 * @param {any} operation
 * @returns {RequestRow[]}
 */
function inPath(path, method, { operationId, parameters = [], requestBody }) {
  const common = { method: method.toUpperCase(), by: /** @type {const} */ ('api'), limit: maxPath }
  const body = requestBody === undefined ? {} : { body: '{}' }
  const rows = parameters.map((/** @type {{ name: string, in: string }} */ { name, in: where }) => ({
    ...common,
    name: `${operationId}: ${name} (${where})`,
    request: (/** @type {string} */ text) => {
      const inside = inAddress(text)
      return {
        path: where === 'path' ? filled(path, name, inside) : `${filled(path)}?${name}=${inside}`,
        ...body,
      }
    },
  }))
  if (rows.length > 0 || requestBody !== undefined) return rows
  const request = (/** @type {string} */ text) => ({
    path: `${path}?${inAddress(text)}`,
  })
  return [{ ...common, name: `${operationId}: query`, request }]
}

/**
 * Encoded, it is up to three times as long. No kind has characters of two units.
 *
 * @param {string} text
 */
function inAddress(text) {
  return encodeURIComponent(text.slice(0, text.length / 3))
}

/**
 * @param {string} path
 * @param {string} [name]
 * @param {string} [value]
 */
function filled(path, name, value = '') {
  return path.replaceAll(/\{(\w+)\}/g, (_, each) => (each === name ? value : 'bench'))
}

/**
 * @param {string} path
 * @param {string} method
 * @param {any} operation
 * @param {any} schemas
 * @returns {RequestRow[]}
 */
function inBody(path, method, { operationId, requestBody }, schemas) {
  const schema = requestBody?.content['application/json'].schema
  if (schema === undefined) return []
  const common = {
    method: method.toUpperCase(),
    by: /** @type {const} */ ('api'),
    limit: longBodies[operationId] ?? maxOtherBytes,
  }
  const raw = { path: '(no JSON)', write: (/** @type {string} */ text) => text }
  return [raw, ...placesIn(schema, schemas)].map((place) => ({
    ...common,
    name: `${operationId}: ${place.path}`,
    request: (text) => ({ path: filled(path), body: fitted(operationId, place.write(text)) }),
  }))
}

/**
 * @param {string} operation
 * @param {string} body
 */
function fitted(operation, body) {
  const fields = fitting[operation]
  if (fields === undefined || !body.startsWith('{"')) return body
  // The first of two equal names would be replaced by the second.
  const named = Object.entries(fields).map(([name, value]) => [
    `"${name}":"a"`,
    `"${name}":${JSON.stringify(value)}`,
  ])
  return named.reduce((text, [from = '', to = '']) => text.replace(from, () => to), body)
}

/** Requests that a schema cannot describe: a text within a text, and rules with arguments that they test. */
function knownRows() {
  const post = { method: 'POST', by: /** @type {const} */ ('api'), limit: maxOtherBytes }
  const explain = (/** @type {string} */ name, /** @type {(text: string) => string} */ write) => ({
    ...post,
    name: `explainText: ${name}`,
    request: (/** @type {string} */ text) => ({
      path: '/api/explain',
      body: JSON.stringify({ text: write(text).slice(0, maxTextLength) }),
    }),
  })
  const test = (/** @type {string} */ name, /** @type {object} */ rules) => ({
    ...post,
    name: `testPermission: ${name}`,
    request: (/** @type {string} */ text) => ({
      path: '/api/permissions/test',
      body: JSON.stringify({ tool: 'bench__echo', rules, arguments: { p: text } }),
    }),
  })
  return [
    explain('arguments of an entry', (text) => `{"mcpServers":{"a":{"command":"a","args":[${text}`),
    explain('name of an entry', (text) => JSON.stringify({ mcpServers: { [text]: { command: 'a' } } })),
    explain('values of an entry', (text) =>
      JSON.stringify({ mcpServers: { a: { command: text, args: [text], env: { A: text } } } }),
    ),
    explain('url of an entry', (text) =>
      JSON.stringify({ mcpServers: { a: { url: `https://example.com/${text}` } } }),
    ),
    explain('YAML', (text) => `mcpServers:\n  a:\n    command: ${text}\n`),
    explain('TOML', (text) => `[mcp_servers.a]\ncommand = ${text}\n`),
    explain('command', (text) => `npx -y ${text}`),
    explain('named entry', (text) => `"a": ${text}`),
    test('a pattern with stars', { deny: ['mcp://bench/*(p=*a*a*a*a*a*b)'] }),
    test('a path pattern', { allow: ['mcp://bench/*(p=out/*)'] }),
    test('twenty rules', {
      deny: Array.from({ length: 20 }, (_, index) => `mcp://bench/*(p=/etc/${index}/**)`),
    }),
  ]
}
