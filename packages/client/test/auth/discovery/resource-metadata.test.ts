import { describe, expect, test } from 'vitest'
import type { AuthResponse } from '../../../src/auth/messages/auth-request.ts'
import {
  processResourceMetadata,
  resourceMetadataRequests,
} from '../../../src/auth/discovery/resource-metadata.ts'
import { answer, authFailure } from '../fixtures/requests.ts'

const places: readonly (readonly [
  server: string,
  challenged: string | undefined,
  order: readonly string[],
])[] = [
  ['https://h.example', undefined, ['https://h.example/.well-known/oauth-protected-resource']],
  ['https://h.example/', undefined, ['https://h.example/.well-known/oauth-protected-resource']],
  [
    // The example of RFC 9728 section 3.1.
    'https://resource.example.com/resource1',
    undefined,
    [
      'https://resource.example.com/.well-known/oauth-protected-resource/resource1',
      'https://resource.example.com/.well-known/oauth-protected-resource',
    ],
  ],
  [
    'https://h.example:8443/a/mcp/?tenant=1#part',
    undefined,
    [
      'https://h.example:8443/.well-known/oauth-protected-resource/a/mcp?tenant=1',
      'https://h.example:8443/.well-known/oauth-protected-resource',
    ],
  ],
  [
    'https://h.example/mcp',
    'https://other.example/metadata?x=1',
    [
      'https://other.example/metadata?x=1',
      'https://h.example/.well-known/oauth-protected-resource/mcp',
      'https://h.example/.well-known/oauth-protected-resource',
    ],
  ],
  [
    'https://h.example/mcp',
    'https://h.example/.well-known/oauth-protected-resource/mcp',
    [
      'https://h.example/.well-known/oauth-protected-resource/mcp',
      'https://h.example/.well-known/oauth-protected-resource',
    ],
  ],
]

describe('the metadata of a resource is looked for in the order laid down', () => {
  test.each(places)('%s with %s in the challenge', (server, challenged, order) => {
    const requests = resourceMetadataRequests(server, challenged)
    expect(requests.map(({ url }) => url)).toEqual(order)
    expect(requests[0]).toMatchObject({
      method: 'GET',
      headers: { accept: 'application/json' },
      stage: 'resource_metadata',
    })
  })

  test('an address in the challenge that is none is refused', async () => {
    const error = await authFailure(() => resourceMetadataRequests('https://h.example/mcp', '/metadata'))
    expect(error).toMatchObject({ code: 'challenge_malformed', stage: 'challenge' })
  })
})

const SERVER = 'https://h.example/a/mcp?tenant=1'

function processed(response: AuthResponse, serverUrl = SERVER): ReturnType<typeof processResourceMetadata> {
  const [request] = resourceMetadataRequests(serverUrl)
  if (request === undefined) throw new Error('there is always a place to ask')
  return processResourceMetadata(response, { request, serverUrl })
}

test('what is known of the document is kept, the resource verbatim, and the rest is ignored', () => {
  const document = {
    resource: 'https://H.example',
    authorization_servers: ['https://as.example', 'https://as.example/2/'],
    scopes_supported: ['read', 'write'],
    bearer_methods_supported: ['header'],
    dpop_bound_access_tokens_required: false,
    resource_name: 'Anything',
  }
  const { resource_name: _name, ...known } = document
  expect(processed(answer(document))).toEqual(known)
})

test('members that are null are missing ones', () => {
  const document = { resource: 'https://h.example', authorization_servers: null, scopes_supported: null }
  expect(processed(answer(document))).toEqual({ resource: 'https://h.example', authorization_servers: [] })
})

const sameResource: readonly string[] = [
  'https://h.example/a/mcp?tenant=1',
  'https://h.example/a/mcp',
  'https://h.example/a/mcp/',
  'https://h.example/a',
  'https://h.example/a/',
  'https://h.example/',
  'https://h.example',
  'https://h.example:443',
  'HTTPS://H.EXAMPLE/a',
]

test.each(sameResource)('%s is this server or a place above it', (resource) => {
  expect(processed(answer({ resource }))?.resource).toBe(resource)
})

const otherResource: readonly string[] = [
  'https://evil.example/a/mcp',
  'http://h.example/a/mcp',
  'https://h.example:8443/a/mcp',
  'https://sub.h.example/a/mcp',
  'https://h.example.evil.example/a/mcp',
  'https://h.example@evil.example/a/mcp',
  'https://h.example/a/mc',
  'https://h.example/a/mcp/more',
  'https://h.example/A/mcp',
  'https://h.example/b/../../a/mcp/x',
  'https://h.example/a/mcp?tenant=2',
  'urn:example:resource',
  'h.example',
  'mcp',
]

test.each(otherResource)('metadata about %s is not about this server', async (resource) => {
  const error = await authFailure(() => processed(answer({ resource })))
  expect(error).toMatchObject({ code: 'resource_mismatch', stage: 'resource_metadata' })
  expect(error.message).toContain('https://h.example/a/mcp')
  expect(error.message).not.toContain('tenant')
})

const elsewhere: readonly (readonly [what: string, response: AuthResponse])[] = [
  ['404', answer('', { status: 404, type: '' })],
  ['401', answer({ error: 'unauthorized' }, { status: 401 })],
  ['405', answer('', { status: 405 })],
  ['502 of a proxy', answer('<h1>Bad gateway</h1>', { status: 502, type: 'text/html' })],
  ['the page of a web application', answer('<!doctype html>', { type: 'text/html; charset=utf-8' })],
  ['204', answer('', { status: 204, type: '' })],
]

test.each(elsewhere)('%s means: not here', (_what, response) => {
  expect(processed(response)).toBeUndefined()
})

test.each(['', 'text/plain', 'application/octet-stream', 'application/problem+json'])(
  'a document that is served as %j is read',
  (type) => {
    expect(processed(answer({ resource: SERVER }, { type }))).toMatchObject({ resource: SERVER })
  },
)

const malformed: readonly (readonly [body: unknown, type: string, what: string])[] = [
  ['', 'application/json', 'did not respond with a JSON object'],
  ['{"resource"', 'application/json', 'did not respond with a JSON object'],
  ['[]', 'application/json', 'did not respond with a JSON object'],
  ['null', 'application/json', 'did not respond with a JSON object'],
  ['"x"', 'application/json', 'did not respond with a JSON object'],
  ['<xml/>', 'text/xml', 'responded with text/xml instead of JSON'],
  ['{}', '?', 'responded with an invalid content type instead of JSON'],
  [{}, 'application/json', 'lacks the string "resource"'],
  [{ resource: '' }, 'application/json', 'lacks the string "resource"'],
  [{ resource: 1 }, 'application/json', 'lacks the string "resource"'],
  [
    { resource: SERVER, authorization_servers: 'https://as' },
    'application/json',
    'has a "authorization_servers" that is not a list of strings',
  ],
  [
    { resource: SERVER, authorization_servers: [1] },
    'application/json',
    'has a "authorization_servers" that is not a list of strings',
  ],
  [
    { resource: SERVER, scopes_supported: 'read' },
    'application/json',
    'has a "scopes_supported" that is not a list of strings',
  ],
  [
    { resource: SERVER, dpop_bound_access_tokens_required: 'yes' },
    'application/json',
    'has a "dpop_bound_access_tokens_required" that is not a boolean',
  ],
]

test.each(malformed)('%j as %s is malformed', async (body, type, what) => {
  const error = await authFailure(() => processed(answer(body, { type })))
  expect(error).toMatchObject({ code: 'metadata_malformed', stage: 'resource_metadata', status: 200 })
  expect(error.message).toBe(
    `the metadata of the resource at https://h.example/.well-known/oauth-protected-resource/a/mcp ${what} (status 200); ask the operator of the MCP server to follow RFC 9728 section 2`,
  )
})

test('a server that fails is not a server without metadata', async () => {
  const error = await authFailure(() => processed(answer('oops', { status: 500 })))
  expect(error).toMatchObject({ code: 'server_error', stage: 'resource_metadata', status: 500 })
})
