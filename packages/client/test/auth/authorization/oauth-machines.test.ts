import { generateKeyPairSync } from 'node:crypto'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import {
  clientCredentialsAuthorization,
  enterpriseAuthorization,
  workloadAuthorization,
} from '../../../src/auth.ts'
import { connectMcp, type McpAuthorization } from '../../../src/index.ts'
import { answerMessage, type AuthWorld, json, onThisMachine, startAuthWorld } from '../fixtures/auth-world.ts'

test('a program with a secret asks for itself, and again when its token is refused [A11]', async () => {
  await using world = await startAuthWorld()
  const connection = await connected(
    world,
    await clientCredentialsAuthorization({
      ...common(world),
      clientId: 'robot',
      clientSecret: canary('client'),
      scope: 'a',
    }),
  )
  world.accepted.clear()
  await connection.client.callTool('echo')
  await connection.close()
  expect(grantsAt(world)).toEqual(['client_credentials', 'client_credentials'])
  const [first] = world.at('token')
  expect(first?.headers.authorization).toBe(
    `Basic ${Buffer.from(`robot:${canary('client')}`).toString('base64')}`,
  )
  expect(Object.fromEntries(first?.parameters ?? [])).toMatchObject({ scope: 'a', resource: world.serverUrl })
  expect(world.count('registration') + world.count('authorization')).toBe(0)
})

test('a program with a key signs who it is, for the issuer [A11]', async () => {
  await using world = await startAuthWorld()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const authorization = await clientCredentialsAuthorization({
    ...common(world),
    clientId: 'robot',
    privateKey: pem,
  })
  await (await connected(world, authorization)).close()
  const assertion = world.at('token')[0]?.parameters.get('client_assertion') ?? ''
  const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ iss: 'robot', sub: 'robot', aud: world.issuer })
})

test('credentials go to no other authorization server than the one that they are for, whatever the server names', async () => {
  await using world = await startAuthWorld()
  const options = { ...common(world), clientId: 'robot', clientSecret: canary('client') }
  const wrong = { code: 'issuer_mismatch', stage: 'token' }
  const elsewhere = await clientCredentialsAuthorization({ ...options, issuer: 'https://as.example' })
  await expect(connected(world, elsewhere)).rejects.toMatchObject(wrong)
  const evil = world.issuer.replace('127.0.0.1', 'localhost')
  world.words.resourceMetadata['authorization_servers'] = [evil]
  world.words.serverMetadata = JSON.parse(
    JSON.stringify(world.words.serverMetadata).replaceAll(world.issuer, evil),
  )
  const unnamed = [
    await clientCredentialsAuthorization(options),
    workloadAuthorization({ ...common(world), token: () => 'jwt' }),
  ]
  for (const each of unnamed) await expect(connected(world, each)).rejects.toMatchObject(wrong)
  expect(world.count('token')).toBe(0)
  const named = await clientCredentialsAuthorization({ ...options, issuer: evil })
  await (await connected(world, named)).close()
  expect(world.count('token')).toBe(1)
})

test('an enterprise vouches for somebody: the assertion goes where it is for, and nothing else does [A11]', async () => {
  await using world = await startAuthWorld()
  await using enterprise = await startAuthWorld()
  enterprise.instead.token = json({
    access_token: canary('assertion'),
    issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    token_type: 'N_A',
  })
  const authorization = await enterpriseAuthorization({
    ...common(world),
    clientId: 'app',
    clientSecret: canary('client'),
    identityProvider: {
      tokenEndpoint: `${enterprise.issuer}/token`,
      client: { clientId: 'app-at-enterprise' },
      subjectToken: () => canary('id-token'),
    },
  })
  await (await connected(world, authorization)).close()
  expect(Object.fromEntries(enterprise.at('token')[0]?.parameters ?? [])).toMatchObject({
    audience: world.issuer,
    resource: world.serverUrl,
    subject_token: canary('id-token'),
    client_id: 'app-at-enterprise',
  })
  const [exchanged] = world.at('token')
  expect(exchanged?.parameters.get('assertion')).toBe(canary('assertion'))
  expect(exchanged?.body).not.toContain(canary('id-token'))
})

test('a workload shows the token of its platform once; a rejection is final [A11]', async () => {
  await using world = await startAuthWorld()
  world.instead.token = json({ error: 'invalid_grant' }, 400)
  const authorization = workloadAuthorization({
    ...common(world),
    token: ({ audience }) => `for ${audience}`,
  })
  await expect(connected(world, authorization)).rejects.toMatchObject({
    name: 'McpAuthError',
    code: 'invalid_grant',
    stage: 'token',
  })
  expect(world.at('token').map(({ parameters }) => Object.fromEntries(parameters))).toEqual([
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: `for ${world.issuer}`,
      resource: world.serverUrl,
    },
  ])
})

test('a machine that lacks a right is refused and asks nobody', async () => {
  await using world = await startAuthWorld()
  const connection = await connected(world, workloadAuthorization({ ...common(world), token: () => 'jwt' }))
  world.instead.mcp = (_, response) =>
    response.writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="more"' }).end()
  await expect(connection.client.callTool('echo')).rejects.toMatchObject({ kind: 'unauthorized' })
  await connection.close()
  expect(world.count('token')).toBe(1)
})

test('a token that is bound to a key comes with a fresh proof each time, and with the nonce that was asked for [A11]', async () => {
  await using world = await startAuthWorld()
  world.words.serverMetadata['dpop_signing_alg_values_supported'] = ['ES256']
  world.instead.token = (exchange, response) => {
    const { nonce } = proofIn(exchange.headers['dpop'])
    if (nonce !== 'of-the-issuer')
      return json({ error: 'use_dpop_nonce' }, 400, { 'dpop-nonce': 'of-the-issuer' })(exchange, response)
    world.accepted.add(canary('bound'))
    json({ access_token: canary('bound'), token_type: 'DPoP' })(exchange, response)
  }
  let wanted = 'first'
  world.instead.mcp = (exchange, response) => {
    const { nonce } = proofIn(exchange.headers['dpop'])
    const isBound = exchange.headers.authorization === `DPoP ${canary('bound')}`
    if (!isBound) {
      response.writeHead(401, { 'www-authenticate': `DPoP algs="ES256", ${world.words.challenge}` }).end()
    } else if (nonce !== wanted) {
      const headers = { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': wanted }
      response.writeHead(401, headers).end()
    } else answerBound(exchange, response)
  }
  const authorization = await clientCredentialsAuthorization({
    ...common(world),
    clientId: 'robot',
    clientSecret: canary('client'),
  })
  const connection = await connected(world, authorization)
  wanted = 'second'
  await connection.client.callTool('echo')
  await connection.close()
  const proofs = world
    .at('mcp')
    .flatMap(({ headers }) => (headers['dpop'] === undefined ? [] : [proofIn(headers['dpop'])]))
  expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(proofs.length)
  expect(new Set(proofs.map(({ htu }) => htu))).toEqual(new Set([world.serverUrl]))
  expect(world.count('token')).toBe(2)
})

function answerBound(
  exchange: AuthWorld['seen'][number],
  response: Parameters<typeof answerMessage>[1],
): void {
  if (exchange.method === 'POST') answerMessage(exchange.json, response)
  else response.writeHead(405).end()
}

function proofIn(header: string | string[] | undefined): Record<string, unknown> {
  const [, claims = ''] = String(header ?? '').split('.')
  return claims === '' ? {} : JSON.parse(Buffer.from(claims, 'base64url').toString())
}

function grantsAt(world: AuthWorld): (string | null)[] {
  return world.at('token').map(({ parameters }) => parameters.get('grant_type'))
}

function common({ serverUrl }: AuthWorld): { serverUrl: string; security: typeof onThisMachine } {
  return { serverUrl, security: onThisMachine }
}

function connected(
  { serverUrl: url }: AuthWorld,
  authorization: McpAuthorization,
): ReturnType<typeof connectMcp> {
  return connectMcp({ url, authorization }, { era: 'legacy' })
}
