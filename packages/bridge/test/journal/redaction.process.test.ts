import { createServer, type Server } from 'node:http'
import { inspect } from 'node:util'
import { type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { type HttpServerSpec, resolveSpec } from '@toolbridge/bridge/config'
import { McpError } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test, vi } from 'vitest'
import { createRedactor } from '../../src/journal/redaction/redactor.ts'
import { ownServer, permissive } from '../servers/specs.ts'

const token = `${canary('token')}/4711 & more`
const chatty = { ...ownServer('chatty'), env: { CHATTY_TOKEN: token, CHATTY_MODE: 'production' } }
const inAnyForm = /Kanarienvogel|4711/

test("a definition's secret does not come back in errors, states or events, whatever its server says", async () => {
  const events: BridgeEvent[] = []
  const journal = (event: BridgeEvent): void => void events.push(event)
  const failing = { ...chatty, name: 'failing', env: { ...chatty.env, CHATTY_FAILS: 'at once' } }
  await using bridge = await openBridge({ ...permissive([chatty, failing]), journal })
  const refused = bridge.call('chatty__refuse')
  await expect(refused).rejects.toMatchObject({ kind: 'peer', data: { tried: ['[redacted]'] } })
  await expect(refused).rejects.toThrow('cannot log in with [redacted]')
  const died: unknown = await bridge.call('chatty__die').catch((error: unknown) => error)
  expect(died).toMatchObject({ kind: 'closed' })
  await expect.poll(() => bridge.status()[0]?.state).toBe('down')
  const status = bridge.status()
  expect(status.map(({ stderr }) => stderr)).toEqual([
    ['started with [redacted]', 'dying with [redacted]'],
    ['started with [redacted]', 'Error: [redacted] was refused'],
  ])
  expect(inspect([status, events, died], { depth: 20 })).not.toMatch(inAnyForm)
})

test('nor on the terminal, where its lines are passed on without control characters', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const env = { ...chatty.env, CHATTY_PREFIX: '\u001b[2J' }
  const bridge = await openBridge(permissive([{ ...chatty, env, policy: { stderr: 'inherit' } }]))
  await bridge.close()
  const printed = written.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('chatty'))
  written.mockRestore()
  expect(printed).toEqual(['chatty: started with [redacted]\n'])
})

test('a header does not come back in an error, with its scheme or without', async () => {
  const server = createServer((request, response) => {
    response.writeHead(403, { 'content-type': 'text/plain' })
    response.end(`no ${request.headers.authorization?.split(' ')[1]}`)
  })
  const url = `${await listening(server)}/mcp?key=${canary('query')}`
  const spec: HttpServerSpec = {
    name: 'remote',
    transport: 'http',
    enabled: true,
    required: false,
    source: { file: 'test', pointer: '' },
    url,
    headers: { authorization: `Bearer ${canary('header')}` },
  }
  await using bridge = await openBridge(permissive([spec]))
  expect(bridge.status()[0]?.state).toBe('unauthorized')
  expect(inspect(bridge.status(), { depth: 20 })).not.toMatch(/Kanarienvogel/)
  server.close()
})

test('short and common values stay readable, and an error without a secret stays the same', async () => {
  const env = { A: 'abc', B: 'production', C: 'secret.value', D: 'line one\nline two' }
  const { redact } = createRedactor((await resolveSpec({ ...chatty, env }, { kind: 'session' })).spec)
  const same = new McpError('abc in production', { kind: 'peer', code: 1, data: { secretXvalue: 1 } })
  expect(redact(same)).toBe(same)
  expect(redact('no error')).toBe('no error')
  expect(redact(new Error('a secret.value, then line two'))).toMatchObject({
    message: 'a [redacted], then [redacted]',
  })
})

test('an error whose cause holds a secret is told without it', async () => {
  const { redact } = createRedactor((await resolveSpec(chatty, { kind: 'session' })).spec)
  const cause = new Error('it', { cause: new Error(token) })
  const told = redact(new McpError('said', { kind: 'closed', code: 1, cause }))
  expect(told).toMatchObject({ message: 'said', kind: 'closed' })
  expect(told).not.toHaveProperty('cause')
})

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

test('a secret that was drawn into an argument or an address is taken out, and a path of every program is not [d.6-8] [C18]', async () => {
  const env = { TOKEN: canary('drawn'), HOME: '/home/ada' }
  const authority = { kind: 'local', env, workspaceFolder: '/work' } as const
  const spec = { ...chatty, args: ['--key=${env:TOKEN}', '${env:HOME}'], env: { PATH: '/opt/bin' } }
  const { redact } = createRedactor((await resolveSpec(spec, authority)).spec)
  expect(redact(new Error(`refused ${canary('drawn')} in /home/ada with /opt/bin`))).toMatchObject({
    message: 'refused [redacted] in /home/ada with /opt/bin',
  })
})
