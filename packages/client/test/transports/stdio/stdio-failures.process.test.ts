import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { McpClient, type McpError } from '../../../src/index.ts'
import { StdioTransport } from '../../../src/stdio.ts'

test('a program that does not exist is named, with what to check [S4-32] [d.6-10]', async () => {
  const client = new McpClient(
    new StdioTransport({ command: 'no-such-program', args: ['--token', canary('password')] }),
  )
  const error: unknown = await client.connect().catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    kind: 'unreachable',
    message: 'cannot start "no-such-program": there is no such program; check the spelling and the PATH',
    data: { exitCode: null, signal: null, stderr: [], errno: 'ENOENT' },
  })
  expect(allText(error)).not.toContain(canary('password'))
  await client.close()
})

test.each(['no-such-program --token', '/no/such/program --token'])(
  'a command that is a whole line is told what goes where, and what follows the program is not quoted: %s …',
  async (line) => {
    const client = new McpClient(new StdioTransport({ command: `${line} ${canary('password')}` }))
    const error: unknown = await client.connect().catch((reason: unknown) => reason)
    const [program] = line.split(' ')
    expect(error).toMatchObject({
      message: `cannot start "${program} …": the command is the program alone; put what follows it into the arguments`,
    })
    expect(allText(error)).not.toContain(canary('password'))
    await client.close()
  },
)

test('a program in a folder with a space in its name is named as it is', async () => {
  const client = new McpClient(new StdioTransport({ command: '/no/such folder/program' }))
  await expect(client.connect()).rejects.toThrow('cannot start "/no/such folder/program": there is no such')
})

test('a working directory that does not exist is told apart from a missing program [S4-119]', async () => {
  const client = new McpClient(new StdioTransport({ command: process.execPath, cwd: '/no/such/folder' }))
  await expect(client.connect()).rejects.toThrow('its working directory /no/such/folder does not exist')
})

test('a file that may not be executed is told apart too', async () => {
  const client = new McpClient(new StdioTransport({ command: fixtureServers.hostile.replace(/js$/, 'd.ts') }))
  await expect(client.connect()).rejects.toThrow('check its permissions')
})

test('a server that exits before the handshake is quoted', async () => {
  const client = hostile('--crash-before-initialize')
  await expect(client.connect()).rejects.toMatchObject({
    kind: 'closed',
    message:
      'the server exited with code 3; it wrote: cannot read the settings / set HOSTILE_TOKEN and start again',
    data: {
      exitCode: 3,
      signal: null,
      stderr: ['cannot read the settings', 'set HOSTILE_TOKEN and start again'],
    },
  })
})

test('of a long stack the line that says what was wrong is quoted', async () => {
  const client = new McpClient(new StdioTransport({ command: process.execPath, args: ['/no/such/file.js'] }))
  await expect(client.connect()).rejects.toThrow(
    /exited with code 1; it wrote: Error: Cannot find module '\/no\/such\/file\.js' \/ … \/ .*Node\.js v/,
  )
})

test('a server that does not answer the handshake is quoted', async () => {
  const script = 'console.error("waiting for \\u001b[31mlicence\\u001b[0m"); setInterval(() => {}, 1000)'
  const client = new McpClient(new StdioTransport({ command: process.execPath, args: ['-e', script] }))
  await expect(client.connect({ timeoutMs: 1_000 })).rejects.toMatchObject({
    kind: 'timeout',
    message: 'the server did not answer initialize in time (1000 ms); it wrote: waiting for licence',
    data: { stderr: ['waiting for licence'] },
  })
})

test('a crash in the middle of a call rejects it at once with the exit status and the last words [S4-24] [S4-32]', async () => {
  const reasons: McpError[] = []
  const client = hostile('--crash-mid-call', (reason) => reasons.push(reason))
  await client.connect()
  await expect(client.callTool('echo', { text: 'a' })).rejects.toMatchObject({
    kind: 'closed',
    data: { exitCode: 7, signal: null, stderr: ['panic: out of luck'] },
  })
  expect(reasons).toHaveLength(1)
  await expect(client.callTool('echo')).rejects.toMatchObject({ kind: 'closed' })
  await client.close()
})

test('a server that closes its output but lives on is given up', async () => {
  const script = 'require("fs").closeSync(1); setInterval(() => {}, 1000)'
  const transport = new StdioTransport({
    command: process.execPath,
    args: ['-e', script],
    stop: { graceMs: 10 },
  })
  await expect(new McpClient(transport).connect()).rejects.toThrow('the server closed its input or output')
})

function hostile(flag: string, onClose: (reason: McpError) => void = () => undefined): McpClient {
  const transport = new StdioTransport({ command: process.execPath, args: [fixtureServers.hostile, flag] })
  return new McpClient(transport, { onClose })
}

function allText(error: unknown): string {
  const { message, cause, data } = error as McpError
  return `${message} ${JSON.stringify(data)} ${String(cause)} ${JSON.stringify(cause)}`
}
