import { connectMcp, HttpTransport, type HttpTransportConfig, type McpError } from '@toolbridge/client'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import { SseTransport } from '@toolbridge/client/sse'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../certificates.ts'
import { type ScriptedHttpServer, scriptedHttpServer } from '../support/http-server.ts'
import { startProxy, startWebServer, type WebServer } from '../loopback-web.ts'

const open = { [allowLoopback]: true, [allowInsecureHttp]: true }

test('without a guard a host’s own addresses are opened as before', async () => {
  const server = await openMcp()
  const connection = await connectMcp({ url: server.url })
  await connection.close()
  expect(server.seen[0]?.headers.host).toBe(new URL(server.url).host)
})

const refused = [
  ['http://127.0.0.1:1/mcp', 'loopback'],
  ['https://localhost/mcp', 'loopback'],
  ['https://10.0.0.1/mcp', 'private'],
  ['https://[fe90::1]/mcp', 'link_local'],
  ['https://169.254.169.254/mcp', 'metadata_service'],
  ['http://mcp.example.com/mcp', 'insecure_http'],
  ['https://vault.internal/mcp', 'local_name'],
  ['wss://mcp.example.com/mcp', 'scheme'],
  ['wss://127.0.0.1/mcp', 'scheme'],
] as const

test.for(refused)('a guarded connection to %s is refused: %s [S1]', async ([url, reason]) => {
  await expect(connectMcp({ url, guard: {} })).rejects.toMatchObject({
    name: 'McpSsrfError',
    kind: 'unreachable',
    reason,
    data: { effect: 'none' },
  })
})

test('a guarded connection goes to the address that was checked, once per connection, advisory [G3] [S1]', async () => {
  const server = await openMcp()
  const asked: string[] = []
  const { port } = new URL(server.url)
  const connection = await connectMcp({
    url: `http://mcp.example.com:${port}/mcp`,
    guard: open,
    resolveHost: (name) => {
      asked.push(name)
      return Promise.resolve(['127.0.0.1'])
    },
  })
  await connection.listTools()
  await connection.close()
  expect(server.seen.map(({ headers }) => headers.host)).toContain(`mcp.example.com:${port}`)
  expect(asked).toHaveLength(server.connections())
})

test('a name that turns bad while connected is refused on the next connection, advisory [G3] [S1]', async () => {
  const server = await openMcp()
  const answers = ['127.0.0.1']
  const { port } = new URL(server.url)
  const connection = await connectMcp({
    url: `http://mcp.example.com:${port}/mcp`,
    guard: open,
    resolveHost: () => Promise.resolve([answers[0] ?? '']),
  })
  onTestFinished(() => connection.close())
  answers[0] = '169.254.169.254'
  await server.close()
  await expect(connection.listTools()).rejects.toMatchObject({ reason: 'metadata_service' })
})

test('a name that resolves to a private address is refused, also by the older transport [S1]', async () => {
  const config = {
    url: 'https://mcp.example.com/mcp',
    guard: {},
    resolveHost: () => Promise.resolve(['8.8.8.8', '10.0.0.1']),
  }
  await expect(connectMcp(config)).rejects.toMatchObject({ name: 'McpSsrfError', reason: 'private' })
  await expect(new SseTransport(config).start()).rejects.toMatchObject({ reason: 'private' })
})

test('a redirect that a guard would not open is not followed, advisory [G3] [S1]', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']]
  const server = await startWebServer((request, response) => {
    request.resume()
    response.writeHead(307, { location: '/other', connection: 'close' }).end()
  })
  onTestFinished(() => server.close())
  const connecting = connectMcp({
    url: `http://mcp.example.com:${server.port}/mcp`,
    guard: open,
    resolveHost: () => Promise.resolve(answers.shift() ?? ['169.254.169.254']),
  })
  await expect(connecting).rejects.toMatchObject({ reason: 'metadata_service' })
  expect(server.seen.map(({ path }) => path)).toEqual(['/mcp'])
})

test('a connection keeps the name in TLS, trusts an authority of one’s own and shows a certificate', async () => {
  const authority = createAuthority()
  const server = await openSecureMcp('mcp.example.com', authority)
  const { cert, key } = authority.issue('a client')
  const connection = await connectMcp({
    url: `https://mcp.example.com:${server.port}/mcp`,
    guard: { [allowLoopback]: true },
    tls: { ca: authority.cert, cert, key },
    resolveHost: () => Promise.resolve(['127.0.0.1']),
  })
  await connection.close()
  expect(new Set(server.seen.map(({ serverName }) => serverName))).toEqual(new Set(['mcp.example.com']))
  expect(new Set(server.seen.map(({ clientName }) => clientName))).toEqual(new Set(['a client']))
})

test('a server is reached through a proxy, which is warned about where a guard was asked for', async () => {
  const authority = createAuthority()
  const server = await openSecureMcp('mcp.example.com', authority)
  const proxy = await startProxy(server.port)
  onTestFinished(() => proxy.close())
  const { cert, key } = authority.issue('a client')
  const config = {
    url: 'https://mcp.example.com/mcp',
    tls: { ca: authority.cert, cert, key },
    proxy: `http://127.0.0.1:${proxy.port}`,
  }
  expect(await warningsOf(config)).toEqual([])
  expect(await warningsOf({ ...config, guard: {} })).toEqual([
    'the proxy 127.0.0.1 resolves names itself, so their addresses are not checked; it has to refuse private addresses',
  ])
  expect(new Set(proxy.tunnels.map(({ target }) => target))).toEqual(new Set(['mcp.example.com:443']))
})

test('a proxy that refuses is named', async () => {
  const proxy = await startProxy(1, { refusal: 403 })
  onTestFinished(() => proxy.close())
  const connecting = connectMcp({ url: 'https://mcp.example.com/', proxy: `http://127.0.0.1:${proxy.port}` })
  await expect(connecting).rejects.toThrow(
    'the proxy 127.0.0.1 refused a connection to mcp.example.com (HTTP 403)',
  )
})

test('a plain server is reached through a proxy that reads the requests', async () => {
  const paths: string[] = []
  const proxy = await startWebServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(404).end()
  })
  onTestFinished(() => proxy.close())
  const url = 'http://mcp.example.com/mcp?a=b'
  const connecting = connectMcp({ url, proxy: `http://user:pass@127.0.0.1:${proxy.port}` })
  await expect(connecting).rejects.toThrow('HTTP 404')
  expect(new Set(paths)).toEqual(new Set([url]))
  expect(proxy.seen[0]?.headers['proxy-authorization']).toMatch(/^Basic /)
})

test('a host’s own fetch is guarded as far as addresses show, and that is said', async () => {
  const server = await openMcp()
  const viaLoopback: typeof fetch = (_url, init) => fetch(server.url, init)
  const config = { url: 'https://mcp.example.com/mcp', fetch: viaLoopback, guard: {} }
  expect(await warningsOf(config)).toHaveLength(1)
  await expect(connectMcp({ ...config, url: 'https://10.0.0.1/' })).rejects.toMatchObject({
    reason: 'private',
  })
})

test('options that could not be kept are refused at once', async () => {
  const url = 'https://mcp.example.com/mcp'
  expect(() => new HttpTransport({ url, fetch, proxy: 'http://p1' })).toThrow(TypeError)
  expect(() => new HttpTransport({ url, fetch, tls: {} })).toThrow(TypeError)
  await expect(connectMcp({ url, proxy: 'socks5://p1' })).rejects.toThrow(TypeError)
  await expect(connectMcp({ url: 'wss://mcp.example.com/', proxy: 'http://p1' })).rejects.toThrow(TypeError)
})

async function warningsOf(config: HttpTransportConfig): Promise<string[]> {
  const warnings: McpError[] = []
  const connection = await connectMcp(config, { onWarning: (warning) => warnings.push(warning) })
  await connection.close()
  return warnings.map(({ message }) => message)
}

async function openMcp(): Promise<ScriptedHttpServer> {
  const server = await scriptedHttpServer(({ message }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { tools: [] } }))
  })
  let isClosed = false
  const close = async (): Promise<void> => {
    if (!isClosed) await server.close()
    isClosed = true
  }
  onTestFinished(close)
  return { ...server, close }
}

/** An MCP server that speaks TLS and wants to know who asks: a plain one behind it does the rest. */
async function openSecureMcp(
  name: string,
  authority: ReturnType<typeof createAuthority>,
): Promise<WebServer> {
  const plain = await openMcp()
  const server = await startWebServer(
    (request, response) => {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { method = 'GET', headers } = request
        const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
        const accept = { accept: headers.accept ?? '', 'content-type': headers['content-type'] ?? '' }
        const answer = await fetch(plain.url, { method, headers: accept, ...body })
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? 'text/plain',
        })
        response.end(await answer.text())
      })()
    },
    { identity: authority.issue(name), clientAuthority: authority.cert },
  )
  onTestFinished(() => server.close())
  return server
}
