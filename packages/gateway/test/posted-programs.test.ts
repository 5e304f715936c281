import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FoundServersResponse, paths } from '@toolbridge/api'
import { operations } from '@toolbridge/api/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import {
  type Caller,
  createTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'

const home = mkdtempSync(join(tmpdir(), 'toolbridge-posted-'))
const marker = join(home, 'started')
const program = {
  command: process.execPath,
  args: ['-e', `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`],
}
const document = JSON.stringify({ mcpServers: { posted: program } })

/** Versions of what was saved while programs could be: an enabled program, and a disabled one. */
interface Saved {
  readonly enabled: number
  readonly disabled: number
}

/** Sends the program in each way that a route can be given one: itself, by a file, or by what was saved before. */
const posts: Readonly<Record<string, readonly ((ada: Caller, saved: Saved) => Promise<Response>)[]>> = {
  [`post ${paths.config}`]: [(ada) => ada.post(paths.config, { mcpServers: { posted: program } })],
  [`put ${paths.servers}/{name}`]: [(ada) => ada.put(paths.server('posted'), { server: program })],
  [`patch ${paths.servers}/{name}`]: [
    (ada) => ada.send('PATCH', paths.server('asleep'), { disabled: false }),
    (ada) => ada.send('PATCH', paths.server('asleep'), { name: 'posted', disabled: false }),
  ],
  [`post ${paths.configRollback}`]: [
    (ada, { enabled, disabled }) =>
      ada.post(paths.configRollback, { version: enabled, expectedVersion: disabled }),
  ],
  [`post ${paths.explain}`]: [
    document,
    `"posted": ${JSON.stringify(program)}`,
    '[mcp_servers.posted]\ncommand = "node"',
    'claude mcp add posted -- node',
    'node -e 1',
  ].map((text) => (ada: Caller) => ada.post(paths.explain, { text })),
  [`post ${paths.importServers}`]: [
    document,
    '[mcp_servers.posted]\ncommand = "node"',
    'claude mcp add posted -- node',
  ].map((text) => (ada: Caller) => ada.post(paths.importServers, { text, servers: [{ name: 'posted' }] })),
  [`post ${paths.importFound}`]: [
    async () => {
      // Found files are those of the local owner, whom a gateway that others can reach lets start no more.
      const local = gateway.as('local')
      const { files }: FoundServersResponse = await (await local.get(paths.found)).json()
      return local.post(paths.importFound, {
        servers: files.flatMap(({ servers }) => servers).map(({ id }) => ({ id })),
      })
    },
  ],
}

/** Requests that name servers and tools, or say what may be called, and have no place for a definition. */
const withoutDefinition = new Set(
  [
    'SignInRequest CreateKeyRequest FinishServerSignInRequest CallToolRequest ReadResourceRequest GetPromptRequest',
    'CompleteArgumentRequest SavePermissionsRequest DescribeRulesRequest TestPermissionRequest DryRunRequest',
    'AnswerRequest RotateRequest VerificationRequest WorkflowInvokeRequest',
  ].flatMap((line) => line.split(' ')),
)

const lockbox = await openFileLockbox()
const started: string[] = []
const options: TestGatewayOptions = {
  lockbox,
  hostFiles: { env: {}, cwd: home, home },
  transportOf: (spec) => {
    started.push(spec.transport === 'stdio' ? spec.command : spec.transport)
    return linkInMemory(spec)
  },
}
let gateway: TestGateway
let saved: Saved

beforeAll(async () => {
  mkdirSync(join(home, '.cursor'))
  writeFileSync(join(home, '.cursor/mcp.json'), document)
  await using before = createTestGateway(options)
  const ada = before.as('ada')
  const asleep = { ...savedInMemory('hello'), disabled: true }
  const versions = [{ posted: savedInMemory('hello') }, { asleep }].map((mcpServers) => ({ mcpServers }))
  const [enabled, disabled] = [
    await ada.post(paths.config, versions[0]),
    await ada.post(paths.config, versions[1]),
  ]
  saved = { enabled: (await enabled.json()).version, disabled: (await disabled.json()).version }
  expect(saved).toEqual({ enabled: 1, disabled: 2 })
  gateway = createTestGateway({ ...options, savedPrograms: false })
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  rmSync(home, { recursive: true })
})

test('every operation with a body either has no place for a definition or is asked with a program here', () => {
  const taking = operations.filter(({ request = '' }) => request !== '' && !withoutDefinition.has(request))
  expect(taking.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    Object.keys(posts).toSorted(),
  )
})

test.each(Object.entries(posts))(
  'a program that is sent to %s is refused before it could start, advisory [A8]',
  async (_route, sends) => {
    for (const send of sends) {
      started.length = 0
      const ada = gateway.as('ada')
      const response = await send(ada, saved)
      const answer = await response.text()
      expect([response.status, answer], answer).toEqual([
        expect.any(Number),
        expect.stringMatching(/program_not_allowed|does not start programs/),
      ])
      for (const name of ['posted', 'asleep'])
        for (const action of ['doctor', 'restart']) await ada.post(`${paths.server(name)}/${action}`, {})
      await ada.get(paths.tools)
      const { mcpServers } = await (await ada.get(paths.config)).json()
      expect(Object.keys(mcpServers)).toEqual(['asleep'])
      expect(mcpServers.asleep.disabled).toBe(true)
      expect(started).toEqual([])
      expect(existsSync(marker)).toBe(false)
    }
  },
)
