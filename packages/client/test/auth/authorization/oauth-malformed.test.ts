import { inspect } from 'node:util'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { McpAuthError } from '../../../src/auth.ts'
import type { McpError, McpErrorEvent } from '../../../src/index.ts'
import { agreeing, authorizationIn, connectIn } from '../fixtures/people.ts'
import {
  type Answer,
  type AuthWorld,
  json,
  type Place,
  startAuthWorld,
  words,
} from '../fixtures/auth-world.ts'

/** What must never be seen again: each is sent by one side at some point. */
const canaries = {
  clientSecret: canary('client-secret'),
  accessToken: canary('access-token'),
  refreshToken: canary('refresh-token'),
  code: canary('code'),
  query: canary('query'),
}

const page = words(`<html>${canaries.accessToken}</html>`)
const tokens = {
  access_token: canaries.accessToken,
  token_type: 'Bearer',
  refresh_token: canaries.refreshToken,
}

type Case = readonly [title: string, place: Place, answer: Answer, code: string, stage: string]

const cases: readonly Case[] = [
  ['a challenge that cannot be read', 'mcp', refusal('Bearer =,'), 'challenge_malformed', 'challenge'],
  [
    'a challenge with a metadata address that is none',
    'mcp',
    refusal('Bearer resource_metadata="x"'),
    'challenge_malformed',
    'challenge',
  ],
  [
    'resource metadata that is no JSON',
    'resource metadata',
    words('{', 'application/json'),
    'metadata_malformed',
    'resource_metadata',
  ],
  [
    'resource metadata without a resource',
    'resource metadata',
    json({ authorization_servers: ['https://as.example'] }),
    'metadata_malformed',
    'resource_metadata',
  ],
  [
    'resource metadata that is out of order',
    'resource metadata',
    json({}, 500),
    'server_error',
    'resource_metadata',
  ],
  [
    'resource metadata about another server',
    'resource metadata',
    json({ resource: 'https://evil.example/mcp', authorization_servers: ['https://as.example'] }),
    'resource_mismatch',
    'resource_metadata',
  ],
  [
    'server metadata that is a page everywhere',
    'server metadata',
    page,
    'metadata_missing',
    'server_metadata',
  ],
  ['server metadata that is a list', 'server metadata', json([]), 'metadata_malformed', 'server_metadata'],
  [
    'server metadata of another issuer',
    'server metadata',
    json({ issuer: 'https://evil.example', token_endpoint: 'https://evil.example/token' }),
    'issuer_mismatch',
    'server_metadata',
  ],
  [
    'server metadata without endpoints',
    'server metadata',
    (_, response) => json({ issuer: issuerOf(response) })(_, response),
    'metadata_malformed',
    'server_metadata',
  ],
  ['a registration that is a page', 'registration', page, 'answer_malformed', 'registration'],
  [
    'a registration without a client id',
    'registration',
    json({ client_secret: canaries.clientSecret }, 201),
    'answer_malformed',
    'registration',
  ],
  [
    'a registration that is refused',
    'registration',
    json({ error: 'invalid_redirect_uri' }, 400),
    'registration_refused',
    'registration',
  ],
  [
    'a person who comes back with nothing',
    'authorization',
    (exchange, response) => sendBack(exchange, response, {}),
    'callback_malformed',
    'callback',
  ],
  [
    'a person who is refused',
    'authorization',
    (exchange, response) => sendBack(exchange, response, { error: 'access_denied' }),
    'authorization_refused',
    'callback',
  ],
  ['a token that is a page', 'token', page, 'answer_malformed', 'token'],
  [
    'a token without a type',
    'token',
    json({ access_token: canaries.accessToken }),
    'answer_malformed',
    'token',
  ],
  [
    'a token of an unknown type',
    'token',
    json({ ...tokens, token_type: 'mac' }),
    'token_type_unsupported',
    'token',
  ],
  [
    'a token with a line break',
    'token',
    json({ ...tokens, access_token: `${canaries.accessToken}\n` }),
    'answer_malformed',
    'token',
  ],
  [
    'a token that expires never nor then',
    'token',
    json({ ...tokens, expires_in: 'soon' }),
    'answer_malformed',
    'token',
  ],
  [
    'an error that is sent as a success',
    'token',
    json({ error: 'invalid_grant', error_description: canaries.code }),
    'invalid_grant',
    'token',
  ],
  [
    'an error that repeats the secret',
    'token',
    (exchange, response) =>
      json({ error: 'invalid_client', error_description: exchange.body }, 401)(exchange, response),
    'invalid_client',
    'token',
  ],
  ['a token endpoint that is out of order', 'token', json({}, 502), 'server_error', 'token'],
  [
    'a token endpoint that sends elsewhere',
    'token',
    (_, response) => response.writeHead(302, { location: `https://evil.example/?${canaries.query}` }).end(),
    'redirected',
    'token',
  ],
  [
    'a token endpoint that hangs up',
    'token',
    (_, response) => void response.destroy(),
    'unreachable',
    'token',
  ],
]

test.each(cases)(
  '%s ends in one error that says where and what, and shows no secret',
  async (...[, place, answer, code, stage]) => {
    await using world = await startAuthWorld()
    world.instead.registration = json(
      {
        client_id: 'client',
        client_secret: canaries.clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
      },
      201,
    )
    world.instead.authorization = (exchange, response) =>
      sendBack(exchange, response, { code: canaries.code })
    world.instead[place] = answer
    const events: McpErrorEvent[] = []
    const warnings: McpError[] = []
    const error: unknown = await connectIn(world, authorizationIn(world, agreeing()), {
      hooks: { onMcpError: (event) => void events.push(event) },
      onWarning: (warning) => void warnings.push(warning),
    }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(McpAuthError)
    expect(error).toMatchObject({ code, stage })
    expect((error as McpAuthError).fix).not.toBe('')
    expect(events).toMatchObject([{ phase: 'connect', error }])
    expect(shown(error, events, warnings)).not.toMatch(secretsOf(world))
  },
)

test('nothing that a working sign-in says shows a secret either', async () => {
  await using world = await startAuthWorld()
  const events: unknown[] = []
  const authorization = authorizationIn(world)
  const connection = await connectIn(world, authorization, {
    onWarning: (warning) => void events.push(warning),
  })
  world.accepted.clear()
  world.instead.token = json({ error: 'temporarily_unavailable' }, 400)
  events.push(await connection.client.callTool('echo').catch((reason: unknown) => reason))
  await connection.close()
  expect(shown(events, authorization, connection)).not.toMatch(secretsOf(world))
})

function refusal(challenge: string): Answer {
  return (_, response) => response.writeHead(401, { 'www-authenticate': challenge }).end()
}

/** The address of the server that answers, which is the issuer where metadata is asked for. */
function issuerOf(response: Parameters<Answer>[1]): string {
  return `http://${response.req.headers.host}`
}

function sendBack(
  { parameters }: Parameters<Answer>[0],
  response: Parameters<Answer>[1],
  more: Record<string, string>,
): void {
  const target = new URL(parameters.get('redirect_uri') ?? '')
  const state = parameters.get('state') ?? ''
  target.search = String(new URLSearchParams({ state, iss: issuerOf(response), ...more }))
  response.writeHead(302, { location: target.href }).end()
}

function shown(...things: readonly unknown[]): string {
  return inspect(things, { depth: 12, showHidden: true, getters: false }) + JSON.stringify(things)
}

/** All canaries, and what this sign-in was kept together with. */
function secretsOf(world: AuthWorld): RegExp {
  const [token] = world.at('token')
  const [authorization] = world.at('authorization')
  const own = [token?.parameters.get('code_verifier'), authorization?.parameters.get('state')]
  const secrets = [...Object.values(canaries), canary('access-1'), canary('refresh-1'), ...own]
  return new RegExp(secrets.filter((secret) => (secret ?? '') !== '').join('|'))
}
