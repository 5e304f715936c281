import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { McpAuthError, type McpAuthProvider, McpOAuth } from '../../../src/auth.ts'
import { McpUnauthorizedError } from '../../../src/index.ts'
import {
  agreeing,
  authorizationIn,
  connectIn,
  followed,
  sendingAway,
  storedTokens,
} from '../fixtures/people.ts'
import { answerMessage, type AuthWorld, json, startAuthWorld } from '../fixtures/auth-world.ts'
import { eventually } from '../../support/eventually.ts'

test('many who are refused at once share one sign-in, and then one refresh [A10]', async () => {
  await using world = await startAuthWorld()
  const connection = await connectIn(world, authorizationIn(world))
  expect(world.count('token')).toBe(1)
  world.accepted.clear()
  await Promise.all(Array.from({ length: 12 }, () => connection.client.callTool('echo')))
  expect(world.at('token').map(({ parameters }) => parameters.get('grant_type'))).toEqual([
    'authorization_code',
    'refresh_token',
  ])
  expect(world.at('token')[1]?.parameters.get('resource')).toBe(world.serverUrl)
  await connection.close()
})

test('many who are refused at once are told of the same sign-in', async () => {
  await using world = await startAuthWorld()
  const provider = sendingAway()
  const authorization = authorizationIn(world, provider)
  const attempts = Array.from({ length: 8 }, () => connectIn(world, authorization))
  const outcomes = await Promise.allSettled(attempts)
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { authorizationUrl: String(provider.sent[0]) },
    })
  }
  expect(provider.sent).toHaveLength(1)
})

test('tokens are kept for the next process, refreshed before they expire, and the rotated one is stored [S4-104] [A7 A10]', async () => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  let nowMs = Date.now()
  const now = (): number => nowMs
  await (await connectIn(world, authorizationIn(world, provider, { now }))).close()
  const later = authorizationIn(world, provider, { now })
  expect(await later.authorize()).toBe('authorized')
  expect(world.count('token')).toBe(1)
  nowMs += 3600_000 - 30_000
  const connection = await connectIn(world, authorizationIn(world, provider, { now }))
  await connection.close()
  expect(world.at('token')[1]?.parameters.get('refresh_token')).toBe(canary('refresh-1'))
  expect(await storedTokens(world, provider)).toMatchObject({ refresh_token: canary('refresh-2') })
  expect(world.at('mcp').slice(-1)[0]?.headers.authorization).toBe(`Bearer ${canary('access-2')}`)
  expect(world.count('authorization')).toBe(1)
})

test('a refresh token that is refused leads to a new sign-in', async () => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  const connection = await connectIn(world, authorizationIn(world, provider))
  world.accepted.clear()
  world.instead.token = (exchange, response) => {
    const isRefresh = exchange.parameters.get('grant_type') === 'refresh_token'
    if (isRefresh) return json({ error: 'invalid_grant' }, 400)(exchange, response)
    world.accepted.add(canary('third'))
    json({ access_token: canary('third'), token_type: 'Bearer' })(exchange, response)
  }
  await connection.client.callTool('echo')
  await connection.close()
  expect(world.count('authorization')).toBe(2)
})

test('a refresh that was never answered is not sent again: a person is asked to sign in, and told why', async () => {
  await using world = await startAuthWorld()
  const provider = sendingAway()
  await signedIn(world, provider)
  world.accepted.clear()
  world.instead.token = (_, response) => void response.destroy()
  const error = await connectIn(world, authorizationIn(world, provider)).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(McpUnauthorizedError)
  expect(error).toMatchObject({ cause: { code: 'refresh_outcome_unknown', stage: 'refresh' } })
  expect((error as McpUnauthorizedError).authorizationUrl).toBe(String(provider.sent[0]))
  expect(world.at('token')).toHaveLength(2)
  await expect(connectIn(world, authorizationIn(world, provider))).rejects.toBeInstanceOf(
    McpUnauthorizedError,
  )
  expect(world.at('token')).toHaveLength(2)
  world.instead.token = undefined
  await signedIn(world, provider)
  await (await connectIn(world, authorizationIn(world, provider))).close()
})

test('an authorization server that is out of order is reported, and the tokens stay', async () => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  const connection = await connectIn(world, authorizationIn(world, provider))
  world.accepted.clear()
  world.instead.token = json({ message: 'down' }, 503)
  await expect(connection.client.callTool('echo')).rejects.toMatchObject({
    name: 'McpAuthError',
    code: 'server_error',
    stage: 'refresh',
  })
  world.instead.token = undefined
  await connection.client.callTool('echo')
  await connection.close()
  expect(world.count('authorization')).toBe(1)
})

test('a token that the server refuses at once leads to an error and not to one sign-in after the other', async () => {
  await using world = await startAuthWorld()
  world.words.tokens = { access_token: canary('for-somebody-else'), refresh_token: undefined }
  const authorization = authorizationIn(world)
  world.instead.mcp = (_, response) =>
    response.writeHead(401, { 'www-authenticate': `Bearer ${world.words.challenge}` }).end()
  await expect(connectIn(world, authorization)).rejects.toMatchObject({ kind: 'unauthorized' })
  await expect(connectIn(world, authorization)).rejects.toMatchObject({ code: 'login_failed' })
  expect(world.count('authorization')).toBe(1)
})

test('a token counts as accepted whatever else goes wrong after it', async () => {
  await using world = await startAuthWorld()
  const authorization = authorizationIn(world)
  let refusals = 0
  world.instead.mcp = ({ headers }, response) => {
    const isRefused = headers.authorization === undefined || refusals > 0
    response.writeHead(isRefused ? 401 : 500, { 'www-authenticate': `Bearer ${world.words.challenge}` }).end()
  }
  await expect(connectIn(world, authorization)).rejects.toMatchObject({ data: { status: 500 } })
  refusals = 1
  await expect(connectIn(world, authorization)).rejects.toMatchObject({ kind: 'unauthorized' })
  expect(world.at('token').map(({ parameters }) => parameters.get('grant_type'))).toEqual([
    'authorization_code',
    'refresh_token',
  ])
})

test('a refreshed token that is refused too leads to a sign-in', async () => {
  await using world = await startAuthWorld()
  const connection = await connectIn(world, authorizationIn(world))
  world.accepted.clear()
  world.instead.token = ({ parameters }, response) => {
    const isRefresh = parameters.get('grant_type') === 'refresh_token'
    if (!isRefresh) world.accepted.add(canary('good'))
    const access_token = isRefresh ? canary('useless') : canary('good')
    json({ access_token, token_type: 'Bearer', refresh_token: canary('next') })(undefined as never, response)
  }
  await expect(connection.client.callTool('echo')).rejects.toMatchObject({ kind: 'unauthorized' })
  await connection.client.callTool('echo')
  await connection.close()
  expect(world.count('authorization')).toBe(2)
})

test('more rights are asked for together with all earlier ones, once [C10] [A9]', async () => {
  await using world = await startAuthWorld()
  world.words.challenge += ', scope="tools:list"'
  guardCalls(world, 'tools:call')
  const connection = await connectIn(world, authorizationIn(world))
  world.words.tokens = { scope: 'tools:list tools:call' }
  expect((await connection.client.callTool('echo')).content).toHaveLength(1)
  await connection.close()
  expect(scopesAsked(world)).toEqual(['tools:list', 'tools:list tools:call'])
})

test('rights that are not granted are asked for once, however often a call needs them [A9]', async () => {
  await using world = await startAuthWorld()
  const provider = agreeing()
  world.words.challenge += ', scope="tools:list"'
  world.words.tokens = { scope: 'tools:list' }
  guardCalls(world, 'tools:call')
  const connection = await connectIn(world, authorizationIn(world, provider))
  await expect(connection.client.callTool('echo')).rejects.toMatchObject({ kind: 'unauthorized' })
  await expect(connection.client.callTool('echo')).rejects.toMatchObject({ code: 'step_up_limit' })
  await connection.close()
  const again = await connectIn(world, authorizationIn(world, provider))
  await expect(again.client.callTool('echo')).rejects.toMatchObject({ code: 'step_up_limit' })
  await again.close()
  expect(scopesAsked(world)).toEqual(['tools:list', 'tools:list tools:call'])
})

test('a server that always wants something else is given up [A9]', async () => {
  await using world = await startAuthWorld()
  let wanted = 0
  world.instead.mcp = ({ json: message, headers }, response) => {
    if (headers.authorization === undefined) {
      response.writeHead(401, { 'www-authenticate': `Bearer ${world.words.challenge}` }).end()
    } else if (message['method'] !== 'tools/call') answerMessage(message, response)
    else {
      const challenge = `Bearer error="insufficient_scope", scope="right-${++wanted}"`
      response.writeHead(403, { 'www-authenticate': challenge }).end()
    }
  }
  const connection = await connectIn(world, authorizationIn(world))
  const codes: unknown[] = []
  for (let call = 0; call < 6; call++) {
    const reason: unknown = await connection.client.callTool('echo').catch((error: unknown) => error)
    codes.push(reason instanceof McpAuthError ? reason.code : 'refused')
  }
  await connection.close()
  expect(codes).toEqual(['refused', 'refused', 'refused', 'step_up_limit', 'step_up_limit', 'step_up_limit'])
  expect(world.count('authorization')).toBe(4)
})

test('the scope is that of the challenge, else all that the resource lists, else what the host says [A9]', async () => {
  const cases = [
    { challenge: ', scope="a b"', listed: ['c'], configured: 'd', asked: 'a b' },
    { challenge: '', listed: ['c', 'e'], configured: 'd', asked: 'c e' },
    { challenge: '', listed: undefined, configured: 'd', asked: 'd' },
    { challenge: '', listed: undefined, configured: undefined, asked: null },
  ]
  for (const { challenge, listed, configured, asked } of cases) {
    await using world = await startAuthWorld()
    world.words.challenge += challenge
    world.words.resourceMetadata['scopes_supported'] = listed
    const scope = configured === undefined ? {} : { scope: configured }
    await (await connectIn(world, authorizationIn(world, agreeing(), scope))).close()
    expect(scopesAsked(world)).toEqual([asked])
  }
})

test('a server that moves to another authorization server gets a new sign-in there, with nothing of the old one [A7]', async () => {
  await using world = await startAuthWorld()
  await using other = await startAuthWorld()
  const provider = agreeing()
  const connection = await connectIn(world, authorizationIn(world, provider))
  world.words.resourceMetadata['authorization_servers'] = [other.issuer]
  world.accepted.clear()
  other.words.tokens = { access_token: canary('of-the-other') }
  world.accepted.add(canary('of-the-other'))
  await connection.client.callTool('echo')
  await connection.close()
  expect(other.count('registration')).toBe(1)
  const heard = other.seen
    .map(({ url, body, headers }) => url.href + body + String(headers.authorization))
    .join()
  for (const name of ['access-1', 'refresh-1']) expect(heard).not.toContain(canary(name))
  expect(heard).not.toContain(`client-1-of-${new URL(world.issuer).port}`)
  expect(heard).toContain(`client-1-of-${new URL(other.issuer).port}`)
  expect(world.at('token')).toHaveLength(1)
  const again = authorizationIn(world, provider)
  expect(await again.authorize()).toBe('authorized')
  expect(await again.authHeader()).toEqual({ authorization: `Bearer ${canary('of-the-other')}` })
})

test('a caller that gives up waiting does not spoil the sign-in for the others', async () => {
  await using world = await startAuthWorld()
  let answer: ((callback: string) => void) | undefined
  const provider = agreeing({
    redirectToAuthorization: async (url) => {
      const callback = await followed(url)
      await new Promise<void>((resolve) => (answer = () => resolve()))
      return callback
    },
  })
  const authorization = authorizationIn(world, provider)
  const abort = new AbortController()
  const impatient = connectIn(world, authorization, { signal: abort.signal })
  const patient = connectIn(world, authorization)
  await eventually(() => answer).toBeDefined()
  abort.abort('no time')
  await expect(impatient).rejects.toBe('no time')
  answer?.('')
  await (await patient).close()
  expect(world.count('authorization')).toBe(1)
})

test('a sign-in that nobody waits for any more is given up', async () => {
  await using world = await startAuthWorld()
  let given: AbortSignal | undefined
  const provider = agreeing({
    redirectToAuthorization: (_, { signal }) => {
      given = signal
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  const abort = new AbortController()
  const connecting = connectIn(world, authorizationIn(world, provider), { signal: abort.signal })
  await eventually(() => given).toBeDefined()
  abort.abort('no time')
  await expect(connecting).rejects.toBe('no time')
  await eventually(() => given?.aborted).toBe(true)
})

test('a token is given to no other server than the one that it was made for', async () => {
  await using world = await startAuthWorld()
  await using other = await startAuthWorld()
  const authorization = authorizationIn(world)
  await (await connectIn(world, authorization)).close()
  await expect(connectIn(other, authorization)).rejects.toThrow('create one for each server')
  expect(other.seen).toEqual([])
})

test('a token is not sent where everybody on the way could read it', () => {
  const provider = agreeing()
  expect(() => new McpOAuth({ serverUrl: 'http://mcp.example.com/mcp', provider })).toThrow(
    'which is not https',
  )
  expect(() => new McpOAuth({ serverUrl: 'http://localhost:3000/mcp', provider })).not.toThrow()
})

test('nobody has to sign in so that a connection can be closed', async () => {
  await using world = await startAuthWorld()
  world.instead.mcp = ({ headers, method, json: message }, response) => {
    const isRefused = method === 'DELETE' || headers.authorization === undefined
    if (isRefused) return void response.writeHead(401).end()
    if (method === 'GET') return void response.writeHead(405).end()
    response.setHeader('mcp-session-id', 'session')
    answerMessage(message, response)
  }
  await (await connectIn(world, authorizationIn(world))).close()
  expect(world.at('mcp').filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  expect(world.count('token')).toBe(1)
})

async function signedIn(world: AuthWorld, provider: McpAuthProvider): Promise<void> {
  const waiting = { ...provider, redirectToAuthorization: (url: URL) => followed(url) }
  await (await connectIn(world, authorizationIn(world, waiting))).close()
}

function guardCalls(world: AuthWorld, needed: string): void {
  world.instead.mcp = ({ json: message, method, headers }, response) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    const isGranted = world.words.tokens['scope'] === `tools:list ${needed}`
    if (!world.accepted.has(token)) {
      response.writeHead(401, { 'www-authenticate': `Bearer ${world.words.challenge}` }).end()
    } else if (method !== 'POST') response.writeHead(405).end()
    else if (message['method'] === 'tools/call' && !(isGranted && world.count('token') > 1)) {
      const challenge = `Bearer error="insufficient_scope", scope="${needed}"`
      response.writeHead(403, { 'www-authenticate': challenge }).end()
    } else answerMessage(message, response)
  }
}

function scopesAsked(world: AuthWorld): (string | null)[] {
  return world.at('authorization').map(({ parameters }) => parameters.get('scope'))
}
