import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { agreeing, authorizationIn, connectIn } from '../fixtures/people.ts'
import { json, startAuthWorld, words } from '../fixtures/auth-world.ts'

test.each([
  ['bad_refresh_token', 200],
  ['unsupported_grant_type', 400],
  ['invalid_scope', 400],
  ['access_denied', 403],
])('a refresh that is refused with %s (%i) leads to a new sign-in', async (error, status) => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  await (await connectIn(world, authorizationIn(world, provider))).close()
  const now = (): number => Date.now() + 2 * 3600_000
  world.instead.token = (exchange, response) => {
    if (exchange.parameters.get('grant_type') === 'refresh_token')
      return json({ error }, status)(exchange, response)
    json({ access_token: canary('access-1'), token_type: 'Bearer' })(exchange, response)
  }
  await (await connectIn(world, authorizationIn(world, provider, { now }))).close()
  expect(world.count('authorization')).toBe(2)
})

test('nobody has to sign in because an authorization server is busy', async () => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  await (await connectIn(world, authorizationIn(world, provider))).close()
  const now = (): number => Date.now() + 2 * 3600_000
  world.instead.token = json({ error: 'temporarily_unavailable' }, 400)
  const busy = connectIn(world, authorizationIn(world, provider, { now }))
  await expect(busy).rejects.toMatchObject({ code: 'token_refused', stage: 'refresh' })
  expect(world.count('authorization')).toBe(1)
})

test('a right that the authorization server does not know any more is not asked for for ever [A9]', async () => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  world.words.resourceMetadata['scopes_supported'] = ['read', 'old']
  await (await connectIn(world, authorizationIn(world, provider))).close()
  world.words.resourceMetadata['scopes_supported'] = ['read']
  world.accepted.clear()
  world.instead.authorization = ({ parameters }, response) => {
    const target = new URL(parameters.get('redirect_uri') ?? '')
    const state = parameters.get('state') ?? ''
    const answer =
      parameters.get('scope')?.includes('old') === true ? { error: 'invalid_scope' } : { code: 'c' }
    target.search = String(new URLSearchParams({ state, iss: world.issuer, ...answer }))
    response.writeHead(302, { location: target.href }).end()
  }
  world.instead.token = (exchange, response) => {
    const isRefresh = exchange.parameters.get('grant_type') === 'refresh_token'
    if (isRefresh) return json({ error: 'invalid_grant' }, 400)(exchange, response)
    world.accepted.add(canary('third'))
    json({ access_token: canary('third'), token_type: 'Bearer' })(exchange, response)
  }
  const refused = connectIn(world, authorizationIn(world, provider))
  await expect(refused).rejects.toMatchObject({ code: 'authorization_refused', oauthError: 'invalid_scope' })
  await (await connectIn(world, authorizationIn(world, provider))).close()
  expect(world.at('authorization').map(({ parameters }) => parameters.get('scope'))).toEqual([
    'read old',
    'read old',
    'read',
  ])
})

test('a server that moved while nobody was there is followed, although its old authorization server is gone [A7]', async () => {
  await using world = await startAuthWorld()
  await using other = await startAuthWorld()
  const provider = agreeing()
  let nowMs = Date.now()
  const now = (): number => nowMs
  const connection = await connectIn(world, authorizationIn(world, provider, { now }))
  world.words.resourceMetadata['authorization_servers'] = [other.issuer]
  world.instead['server metadata'] = world.instead.token = words('gone', 'text/html', 404)
  other.words.tokens = { access_token: canary('of-the-other') }
  world.accepted.add(canary('of-the-other'))
  nowMs += 2 * 3600_000
  await (await connectIn(world, authorizationIn(world, provider, { now }))).close()
  await expect(connection.client.callTool('echo')).rejects.toMatchObject({ stage: 'refresh' })
  await connection.client.callTool('echo')
  await connection.close()
  expect(other.count('authorization')).toBe(1)
})
