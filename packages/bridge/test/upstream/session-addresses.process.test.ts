import { type Bridge, type BridgeOptions, type HttpServerSpec, openBridge, toText } from '@toolbridge/bridge'
import { oauthCredentials } from '@toolbridge/bridge/oauth'
import { allowInsecureHttp, allowLoopback, memoryAuthProvider } from '@toolbridge/client/auth'
import { startAuthorizationFixture } from '@toolbridge/testkit/authorization'
import { nodeWebSocket, startHttpFixture, startSseFixture } from '@toolbridge/testkit/servers'
import { afterEach, expect, test } from 'vitest'

let bridge: Bridge | undefined
afterEach(() => bridge?.close())

const ownMachine = { [allowLoopback]: true, [allowInsecureHttp]: true }

async function open(
  transport: HttpServerSpec['transport'],
  url: string,
  options: Partial<BridgeOptions> = {},
): Promise<Bridge> {
  const source = { file: 'stored settings', pointer: '/far' }
  const far = { name: 'far', transport, url, headers: {}, enabled: true, required: false, source } as const
  bridge = await openBridge({
    servers: [far],
    authority: { kind: 'session' },
    permissions: { mode: 'allow' },
    ...options,
  })
  return bridge
}

test.each(['http', 'sse'] as const)(
  'a definition of others reaches no private address over %s',
  async (by) => {
    await using server = by === 'http' ? await startHttpFixture('hello') : await startSseFixture()
    const { port } = new URL(server.url)
    for (const url of [server.url, `https://127.0.0.1:${port}/`, `https://localhost:${port}/`]) {
      const [status] = (await open(by, url)).status()
      expect(status).toMatchObject({
        state: 'failed',
        error: expect.stringMatching(/was refused/),
      })
      await bridge?.close()
    }
  },
)

test('a definition of others opens no WebSocket, whatever the guard lets pass', async () => {
  const webSocket = await nodeWebSocket()
  const [status] = (await open('ws', 'wss://mcp.example.com/', { webSocket, guard: ownMachine })).status()
  expect(status).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/WebSockets .* use an https URL/),
  })
})

test('a host that says so lets them reach this machine', async () => {
  await using server = await startHttpFixture('hello')
  const opened = await open('http', server.url, { guard: ownMachine })
  expect(toText(await opened.call('far__hello'))).toBe('Hello, world!')
  await opened.close()
})

test('a sign-in is bound to the same addresses', async () => {
  await using fixture = await startAuthorizationFixture()
  const provider = memoryAuthProvider({
    redirectUrl: 'http://127.0.0.1:9/callback',
    clientMetadata: {},
    redirectToAuthorization: () => undefined,
  })
  const closed = oauthCredentials({ provider, security: {} })
  await open('http', fixture.resource, { guard: ownMachine, credentials: closed.of })
  expect(closed.signInUrl('far', 'local')).toBeUndefined()
  await bridge?.close()
  const opened = oauthCredentials({ provider })
  await open('http', fixture.resource, { guard: ownMachine, credentials: opened.of })
  expect(opened.signInUrl('far', 'local')).toMatch(/^http:\/\/127\.0\.0\.1:/)
  await bridge?.close()
})
