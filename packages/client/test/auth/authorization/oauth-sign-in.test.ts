import { inspect } from 'node:util'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import {
  finishMcpAuth,
  McpAuthError,
  type McpOAuth,
  memoryAuthStore,
  createAuthProvider,
} from '../../../src/auth.ts'
import { McpError, type McpErrorEvent, McpUnauthorizedError } from '../../../src/index.ts'
import {
  agreeing,
  authorizationIn,
  connectIn,
  followed,
  sendingAway,
  storedTokens,
} from '../fixtures/people.ts'
import { answerMessage, json, onThisMachine, startAuthWorld } from '../fixtures/auth-world.ts'

test('a server that asks for nothing gets nothing', async () => {
  await using world = await startAuthWorld()
  world.instead.mcp = ({ json: message, method }, response) =>
    method === 'POST' ? answerMessage(message, response) : void response.writeHead(405).end()
  const connection = await connectIn(world, authorizationIn(world))
  await connection.close()
  expect(
    world.seen.every(({ place, headers }) => place === 'mcp' && headers.authorization === undefined),
  ).toBe(true)
})

test('a person signs in when the server first refuses, and every request carries the token from then on [S4-102] [D36] [C10] [A1 A3 A4]', async () => {
  await using world = await startAuthWorld()
  const connection = await connectIn(world, authorizationIn(world))
  await connection.client.callTool('echo')
  await connection.close()
  const [first, ...rest] = world.at('mcp')
  expect(first?.headers.authorization).toBeUndefined()
  expect(rest.every(({ headers }) => headers.authorization === `Bearer ${canary('access-1')}`)).toBe(true)
  const [asked] = world.at('authorization')
  const [exchanged] = world.at('token')
  expect(Object.fromEntries(asked?.parameters ?? [])).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    resource: world.serverUrl,
  })
  expect(Object.fromEntries(exchanged?.parameters ?? [])).toMatchObject({
    grant_type: 'authorization_code',
    redirect_uri: 'http://127.0.0.1:9/callback',
    resource: world.serverUrl,
  })
})

test('a host that does not wait is told where to send the person, finishes, and connects again [S4-108] [S4-109] [S4-125] [S4-129]', async () => {
  await using world = await startAuthWorld()
  const provider = sendingAway()
  const events: McpErrorEvent[] = []
  const hooks = { onMcpError: (event: McpErrorEvent) => void events.push(event) }
  const connecting = connectIn(world, authorizationIn(world, provider), { hooks })
  const error = await connecting.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(McpUnauthorizedError)
  expect(error).toBeInstanceOf(McpError)
  expect(error).toMatchObject({ name: 'McpUnauthorizedError', kind: 'unauthorized' })
  expect(events).toMatchObject([{ phase: 'connect', error }])
  const { authorizationUrl = '' } = error as McpUnauthorizedError
  expect(provider.sent.map(String)).toEqual([authorizationUrl])
  const { searchParams } = new URL(await followed(authorizationUrl))
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => searchParams.get(name) ?? '')
  const options = { provider, security: onThisMachine, iss }
  await finishMcpAuth(world.serverUrl, code ?? '', state ?? '', options)
  const connection = await connectIn(world, authorizationIn(world, provider))
  expect(connection.tools).toHaveLength(1)
  await connection.close()
  await expect(finishMcpAuth(world.serverUrl, code ?? '', state ?? '', options)).rejects.toMatchObject({
    code: 'flow_unknown',
    stage: 'callback',
  })
})

test('the error does not show the address, which holds the state of the sign-in', async () => {
  const error = McpUnauthorizedError.signInNeeded('https://as.example/?state=canary')
  expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error) + error.stack).not.toContain(
    'canary',
  )
  expect(error.authorizationUrl).toContain('canary')
})

test('while a person is on their way no other window is opened, and authorize() opens one on demand [S4-107]', async () => {
  await using world = await startAuthWorld()
  const provider = sendingAway()
  const authorization = authorizationIn(world, provider)
  expect(await authorization.authorize()).toBe('unknown')
  await expect(connectIn(world, authorization)).rejects.toBeInstanceOf(McpUnauthorizedError)
  expect(provider.sent).toHaveLength(1)
  const refusal = {
    status: 401,
    header: () => undefined,
    request: { method: 'POST', url: world.serverUrl },
    sent: {},
  } as const
  await expect(authorization.onRefused(refusal)).rejects.toBeInstanceOf(McpUnauthorizedError)
  expect(provider.sent).toHaveLength(1)
  expect(await authorization.authorize()).toBe('redirect')
  expect(provider.sent).toHaveLength(2)
  expect(authorization.authorizationUrl).toBe(String(provider.sent[1]))
  await expect(connectIn(world, authorization)).rejects.toMatchObject({ kind: 'unauthorized' })
  await authorization.finishFrom(await followed(authorization.authorizationUrl ?? ''))
  expect(await authorization.authorize()).toBe('authorized')
  expect(await authorization.authHeader()).toEqual({ authorization: `Bearer ${canary('access-1')}` })
})

test.each([
  ['another state', { state: 'of somebody else' }, 'flow_unknown'],
  ['no issuer although it was promised', { iss: undefined }, 'issuer_mismatch'],
  ['another issuer', { iss: 'https://elsewhere.example' }, 'issuer_mismatch'],
])('a person who comes back with %s gets no token [S4-129] [C10] [A6]', async (_title, changes, code) => {
  await using world = await startAuthWorld()
  const provider = sendingAway()
  await connectIn(world, authorizationIn(world, provider)).catch(() => undefined)
  const { searchParams } = new URL(await followed(provider.sent[0] ?? ''))
  const { state = '', iss }: Record<string, string | undefined> = {
    ...Object.fromEntries(searchParams),
    ...changes,
  }
  const finishing = finishMcpAuth(world.serverUrl, searchParams.get('code') ?? '', state, {
    provider,
    security: onThisMachine,
    iss,
  })
  await expect(finishing).rejects.toMatchObject({ name: 'McpAuthError', code, stage: 'callback' })
  expect(world.count('token')).toBe(0)
})

test('a sign-in for one server, or one person, does not count for another', async () => {
  await using world = await startAuthWorld()
  const provider = sendingAway()
  await connectIn(world, authorizationIn(world, provider)).catch(() => undefined)
  const callback = await followed(provider.sent[0] ?? '')
  const other = authorizationIn(world, provider, { principal: 'bob' })
  await expect(other.finishFrom(callback)).rejects.toMatchObject({ code: 'state_mismatch' })
  expect(world.count('token')).toBe(0)
})

test('a host that waits is not taken in by the return from another sign-in', async () => {
  await using world = await startAuthWorld()
  const sent: URL[] = []
  const provider = agreeing({
    redirectToAuthorization: (url) => (sent.push(url) === 1 ? undefined : followed(sent[0] ?? '')),
  })
  await expect(connectIn(world, authorizationIn(world, provider))).rejects.toThrow(McpUnauthorizedError)
  await expect(connectIn(world, authorizationIn(world, provider))).rejects.toMatchObject({
    code: 'state_mismatch',
    stage: 'callback',
  })
  expect(world.count('token')).toBe(0)
})

test('a person who says no ends in an error that says so', async () => {
  await using world = await startAuthWorld()
  world.instead.authorization = ({ parameters }, response) => {
    const target = new URL(parameters.get('redirect_uri') ?? '')
    target.search = String(
      new URLSearchParams({
        error: 'access_denied',
        state: parameters.get('state') ?? '',
        iss: world.issuer,
      }),
    )
    response.writeHead(302, { location: target.href }).end()
  }
  await expect(connectIn(world, authorizationIn(world))).rejects.toMatchObject({
    name: 'McpAuthError',
    code: 'authorization_refused',
    stage: 'callback',
    oauthError: 'access_denied',
  })
})

test('a client that the host knows comes before the document, and that before registration [A8]', async () => {
  await using world = await startAuthWorld()
  const clientMetadataUrl = 'https://client.example/metadata.json'
  const client = { client_id: 'by hand', client_secret: canary('client'), issuer: world.issuer }
  world.words.serverMetadata['client_id_metadata_document_supported'] = true
  for (const provider of [agreeing({ client, clientMetadataUrl }), agreeing({ clientMetadataUrl })]) {
    await (await connectIn(world, authorizationIn(world, provider))).close()
  }
  expect(world.at('authorization').map(({ parameters }) => parameters.get('client_id'))).toEqual([
    'by hand',
    clientMetadataUrl,
  ])
  expect(world.at('token')[0]?.headers.authorization).toMatch(/^Basic /)
  expect(world.count('registration')).toBe(0)
  world.words.serverMetadata['client_id_metadata_document_supported'] = false
  await (await connectIn(world, authorizationIn(world, agreeing({ clientMetadataUrl })))).close()
  expect(world.at('registration').map((seen) => seen.json)).toMatchObject([
    {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      client_name: 'a test',
    },
  ])
})

test('a registration is used again, until the person comes back elsewhere [S4-101] [A7]', async () => {
  await using world = await startAuthWorld()
  let redirectUrl = 'http://127.0.0.1:9/one'
  const provider = agreeing({ redirectUrl: async () => redirectUrl })
  const signIn = async (): Promise<void> => {
    world.accepted.clear()
    await authorizationIn(world, provider).revoke()
    await (await connectIn(world, authorizationIn(world, provider))).close()
  }
  await signIn()
  await signIn()
  expect(world.count('registration')).toBe(1)
  redirectUrl = 'http://127.0.0.1:9/two'
  await signIn()
  expect(world.at('registration').map((seen) => seen.json['redirect_uris'])).toEqual([
    ['http://127.0.0.1:9/one'],
    ['http://127.0.0.1:9/two'],
  ])
})

test('tokens are refreshed and revoked as the client that they were given to, no matter who has registered since [A7]', async () => {
  await using world = await startAuthWorld()
  const store = memoryAuthStore()
  const at = (port: number, principal: string, now = Date.now): McpOAuth =>
    authorizationIn(
      world,
      createAuthProvider(store, {
        redirectUrl: `http://127.0.0.1:${port}/callback`,
        clientMetadata: {},
        redirectToAuthorization: (url) => followed(url),
      }),
      { principal, now },
    )
  await (await connectIn(world, at(9, 'one'))).close()
  await (await connectIn(world, at(10, 'other'))).close()
  const later = at(11, 'one', () => Date.now() + 2 * 3600_000)
  await (await connectIn(world, later)).close()
  await later.revoke()
  const clients = [...world.at('token'), ...world.at('revocation')].map(({ parameters }) =>
    Number(/^client-(\d)-/.exec(parameters.get('client_id') ?? '')?.[1]),
  )
  expect(clients).toEqual([1, 2, 1, 1, 1])
  expect(world.count('registration')).toBe(2)
})

test('a registration that the authorization server has forgotten is made again', async () => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  await (await connectIn(world, authorizationIn(world, provider))).close()
  await authorizationIn(world, provider).revoke()
  world.accepted.clear()
  world.instead.token = json({ error: 'invalid_client' }, 401)
  await expect(connectIn(world, authorizationIn(world, provider))).rejects.toMatchObject({
    code: 'invalid_client',
  })
  world.instead.token = undefined
  await (await connectIn(world, authorizationIn(world, provider))).close()
  expect(world.count('registration')).toBe(2)
})

test('of several authorization servers the first is used, and stayed with', async () => {
  await using world = await startAuthWorld()
  await using other = await startAuthWorld()
  const provider = agreeing()
  world.words.resourceMetadata['authorization_servers'] = [world.issuer, other.issuer]
  const connection = await connectIn(world, authorizationIn(world, provider))
  world.words.resourceMetadata['authorization_servers'] = [other.issuer, world.issuer]
  world.accepted.clear()
  await connection.client.callTool('echo')
  await connection.close()
  expect(other.seen).toEqual([])
  expect(world.at('token').map(({ parameters }) => parameters.get('grant_type'))).toEqual([
    'authorization_code',
    'refresh_token',
  ])
})

test('signing out revokes both tokens and forgets them', async () => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  const authorization = authorizationIn(world, provider)
  await (await connectIn(world, authorization)).close()
  await authorization.revoke()
  expect(world.at('revocation').map(({ parameters }) => parameters.get('token'))).toEqual([
    canary('refresh-1'),
    canary('access-1'),
  ])
  expect(await storedTokens(world, provider)).toBeUndefined()
  expect(await authorizationIn(world, provider).authorize()).toBe('unknown')
})

test('a server of 2025-03-26 is its own authorization server, unless that is switched off', async () => {
  await using world = await startAuthWorld()
  const { origin } = new URL(world.serverUrl)
  world.words.challenge = ''
  world.instead['resource metadata'] = json({}, 404)
  const own = { ...world.words.serverMetadata, issuer: origin, token_endpoint: `${origin}/token` }
  Object.assign(own, {
    authorization_endpoint: `${origin}/authorize`,
    registration_endpoint: `${origin}/register`,
  })
  Object.assign(own, { revocation_endpoint: undefined, code_challenge_methods_supported: undefined })
  Object.assign(own, { authorization_response_iss_parameter_supported: undefined })
  world.instead['server metadata'] = json(own)
  world.instead.authorization = ({ parameters }, response) => {
    const back = `${parameters.get('redirect_uri')}?code=c&state=${parameters.get('state')}`
    response.writeHead(302, { location: back }).end()
  }
  const strict = authorizationIn(world, agreeing(), { legacyFallback: false })
  await expect(connectIn(world, strict)).rejects.toMatchObject({
    code: 'metadata_missing',
    stage: 'resource_metadata',
  })
  await (await connectIn(world, authorizationIn(world))).close()
  expect(world.at('token')[0]?.parameters.has('resource')).toBe(false)
  expect(world.at('token')[0]?.url.origin).toBe(origin)
  expect(world.at('server metadata')[0]?.headers['mcp-protocol-version']).toBe('2025-03-26')
})

test('nobody is sent anywhere when the metadata is about another server [C10] [A5]', async () => {
  await using world = await startAuthWorld()
  world.words.resourceMetadata['resource'] = 'https://elsewhere.example/mcp'
  const error = await connectIn(world, authorizationIn(world)).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(McpAuthError)
  expect(error).toMatchObject({ code: 'resource_mismatch', stage: 'resource_metadata' })
  expect(world.count('server metadata') + world.count('authorization')).toBe(0)
})

test('metadata is not fetched from another host than the server’s own, whatever its challenge says [S4-110] [A2]', async () => {
  await using world = await startAuthWorld()
  world.words.challenge = 'resource_metadata="https://elsewhere.example/metadata"'
  await expect(connectIn(world, authorizationIn(world))).rejects.toMatchObject({
    name: 'McpSsrfError',
    reason: 'host_not_allowed',
  })
  expect(world.count('resource metadata') + world.count('server metadata')).toBe(0)
})

test('an endpoint on another host than its issuer is not used unless it is allowed [S4-110] [S4-113] [A2]', async () => {
  await using world = await startAuthWorld()
  world.words.serverMetadata['token_endpoint'] = 'https://tokens.elsewhere.example/token'
  await expect(connectIn(world, authorizationIn(world))).rejects.toMatchObject({
    name: 'McpSsrfError',
    reason: 'host_not_allowed',
  })
  expect(world.count('authorization')).toBe(0)
})

test('tokens that are not bound to a key are not taken where they must be, also from a person’s sign-in', async () => {
  await using world = await startAuthWorld()
  const unbound = { code: 'token_type_unsupported', stage: 'token' }
  const insisting = authorizationIn(world, agreeing(), { dpop: 'always' })
  await expect(connectIn(world, insisting)).rejects.toMatchObject(unbound)
  world.words.resourceMetadata['dpop_bound_access_tokens_required'] = true
  await expect(connectIn(world, authorizationIn(world))).rejects.toMatchObject(unbound)
  await (await connectIn(world, authorizationIn(world, agreeing(), { dpop: 'never' }))).close()
})
