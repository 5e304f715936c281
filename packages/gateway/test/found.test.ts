import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ConfigResponse, type FoundServersResponse, paths, type Problem } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'

const secret = canary('host file')
const home = mkdtempSync(join(tmpdir(), 'toolbridge-found-'))
const cwd = join(home, 'project')
const cursor = join(home, '.cursor/mcp.json')

const files: Readonly<Record<string, string>> = {
  '.cursor/mcp.json': JSON.stringify({
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'files-mcp', '--token', secret], env: { KEY: secret } },
      away: {
        url: `https://me:${secret}@away.example/mcp?key=${secret}`,
        headers: { Authorization: secret },
      },
      line: { command: `npx -y files-mcp --token=${secret}` },
      folder: { command: `/opt/${secret}/bin/files-mcp` },
    },
  }),
  '.codex/config.toml': `[mcp_servers.here]\ncommand = "in-memory"\nargs = ["hello"]\ncwd = "/srv"\n`,
  'project/.vscode/mcp.json': JSON.stringify({
    inputs: [
      { type: 'promptString', id: 'key', description: 'API key', password: true },
      { type: 'promptString', id: 'old', password: true, default: secret },
    ],
    servers: {
      code: { command: 'in-memory', args: ['hello'], env: { KEY: '${input:key}' } },
      preset: {
        command: 'in-memory',
        args: ['hello'],
        env: { OLD: '${input:old}' },
      },
    },
  }),
  'project/.mcp.json': '{ "mcpServers": { "broken": { "command": 7 } } }',
}

const lockbox = await openFileLockbox()
let gateway: TestGateway
beforeAll(() => {
  for (const [path, text] of Object.entries(files)) write(join(home, path), text)
  gateway = createTestGateway({
    lockbox,
    hostFiles: { env: {}, cwd, home },
    transportOf: () => linkInMemory(inMemory('hello')),
  })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  rmSync(home, { recursive: true })
})

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

async function found(): Promise<FoundServersResponse['files']> {
  const listed: FoundServersResponse = await (await gateway.as('local').get(paths.found)).json()
  return listed.files
}

async function idOf(name: string): Promise<string> {
  const servers = (await found()).flatMap((file) => file.servers)
  return servers.find((server) => server.name === name)?.id ?? ''
}

async function saved(): Promise<ConfigResponse['mcpServers']> {
  const { mcpServers }: ConfigResponse = await (await gateway.as('local').get(paths.config)).json()
  return mcpServers
}

test('the owner sees the servers of every host with what would run, and no value that may be a secret', async () => {
  const listed = await found()
  expect(listed.map(({ file, title, scope }) => [file, title, scope])).toEqual(
    expect.arrayContaining([
      [cursor, 'Cursor', 'user'],
      [join(home, '.codex/config.toml'), 'Codex', 'user'],
      [join(cwd, '.vscode/mcp.json'), 'VS Code', 'project'],
    ]),
  )
  const servers = listed.flatMap((file) => file.servers)
  expect(servers.find(({ name }) => name === 'files')?.entry).toEqual({
    command: 'npx',
    args: ['-y', 'files-mcp', '--token', '…'],
    env: { KEY: '…' },
  })
  expect(servers.find(({ name }) => name === 'code')?.asks).toEqual([
    { variable: 'input:key', description: 'API key', isSecret: true },
  ])
  expect(servers.find(({ name }) => name === 'preset')?.asks).toContainEqual({
    variable: 'input:old',
    isSecret: true,
    default: '…',
  })
  expect(servers.find(({ name }) => name === 'here')).toMatchObject({
    state: 'refused',
    reasons: [{ code: 'not_for_session', file: join(home, '.codex/config.toml') }],
  })
  const broken = listed.find(({ file }) => file === join(cwd, '.mcp.json'))
  expect(broken).toMatchObject({ servers: [], issues: [{ severity: 'error', line: 1 }] })
  expect(JSON.stringify(listed)).not.toContain(secret)
})

test('a server is imported by its id, with the secrets that the list does not have', async () => {
  const servers = [{ id: await idOf('files') }, { id: await idOf('code'), as: 'mine' }]
  const response = await gateway
    .as('local')
    .post(paths.importFound, { servers, values: { 'input:key': secret } })
  expect(await response.json()).toMatchObject({ success: true, servers: ['files', 'mine'] })
  expect(await saved()).toEqual({
    files: { command: 'npx', args: ['-y', 'files-mcp', '--token', secret], env: { KEY: secret } },
    mine: { command: 'in-memory', args: ['hello'], env: { KEY: secret } },
  })
})

test('a definition that was changed after it was listed is not imported', async () => {
  const before = await saved()
  const servers = [{ id: await idOf('away') }]
  write(cursor, JSON.stringify({ mcpServers: { away: { url: 'https://elsewhere.example/mcp' } } }))
  const response = await gateway.as('local').post(paths.importFound, { servers })
  const { issues }: Problem = await response.json()
  expect([response.status, issues]).toEqual([
    422,
    [{ path: '/servers/0/id', message: expect.stringContaining('look again') }],
  ])
  expect(await saved()).toEqual(before)
})

test('the servers of the gateway’s own file are not listed', async () => {
  const { source, ...server } = inMemory('hello')
  const operatorServers = [{ ...server, source: { ...source, file: join(home, '.codex/config.toml') } }]
  await using own = createTestGateway({ lockbox, hostFiles: { env: {}, cwd, home }, operatorServers })
  const listed: FoundServersResponse = await (await own.as('local').get(paths.found)).json()
  expect(listed.files.map(({ title }) => title)).not.toContain('Codex')
  expect(listed.files.map(({ title }) => title)).toContain('Cursor')
})

test('nobody else is told anything, and neither is the owner of a gateway that others reach', async () => {
  const shared = createTestGateway({ lockbox })
  const servers = [{ id: await idOf('code') }]
  for (const [of, who] of [
    [gateway, 'bob'],
    [gateway, 'ada'],
    [shared, 'local'],
  ] as const) {
    const answers = [await of.as(who).get(paths.found), await of.as(who).post(paths.importFound, { servers })]
    for (const answer of answers) {
      const problem: Problem = await answer.json()
      expect([answer.status, problem.code, problem.detail]).toEqual([
        404,
        'not_found',
        expect.stringContaining('is not a route of the gateway'),
      ])
    }
  }
  await shared[Symbol.asyncDispose]()
})
