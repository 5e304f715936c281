import {
  type ConfigDiffResponse,
  type ConfigResponse,
  type ConfigVersionsResponse,
  type Problem,
  paths,
  type SaveConfigResponse,
} from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { beforeEach, expect, test } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { describeStores } from './support/lockbox.ts'

let gateway: TestGateway
let ada: Caller
let bob: Caller
let people = 0

describeStores('versions of saved settings', (lockbox) => {
  beforeEach(() => {
    people += 1
    gateway = createTestGateway({ lockbox, principals: [`ada-${people}`, `bob-${people}`] })
    ada = gateway.as(`ada-${people}`)
    bob = gateway.as(`bob-${people}`)
    return () => gateway[Symbol.asyncDispose]()
  })

  const server = (token: string) => ({
    url: 'https://mcp.example/',
    headers: { Authorization: `Bearer ${canary(token)}` },
    disabled: true,
  })

  async function save(caller: Caller, mcpServers: object): Promise<number> {
    const response = await caller.post(paths.config, { mcpServers })
    const { version }: SaveConfigResponse = await response.json()
    return version
  }

  async function problemOf(response: Response): Promise<Pick<Problem, 'status' | 'code'>> {
    const { status, code }: Problem = await response.json()
    return { status, code }
  }

  test('the versions are listed newest first, to their owner only, without contents [C25]', async () => {
    await save(ada, { one: server('first') })
    await save(ada, {})
    const response = await ada.get(paths.configVersions)
    const { versions }: ConfigVersionsResponse = await response.json()
    expect(versions).toEqual([
      expect.objectContaining({ version: 2, isCurrent: true, createdBy: `ada-${people}` }),
      expect.objectContaining({ version: 1, isCurrent: false, createdBy: `ada-${people}` }),
    ])
    for (const { createdAt } of versions) expect(new Date(createdAt).toISOString()).toBe(createdAt)
    expect(JSON.stringify(versions)).not.toContain('mcp.example')
    expect(await (await bob.get(paths.configVersions)).json()).toEqual({ versions: [] })
  })

  test('two versions are compared, with values only where they are surely no secrets [C25]', async () => {
    await save(ada, { one: server('before'), gone: server('gone') })
    await save(ada, { one: { ...server('after'), url: 'https://other.example/', disabled: false } })
    const text = await (await ada.get(`${paths.configDiff}?from=1&to=2`)).text()
    expect(text).not.toContain('Kanarienvogel')
    const diff: ConfigDiffResponse = JSON.parse(text)
    expect(diff).toEqual({
      from: 1,
      to: 2,
      changes: [
        {
          path: '/mcpServers/one/url',
          before: 'string',
          after: 'string',
          beforeText: '"https://mcp.example/"',
          afterText: '"https://other.example/"',
        },
        { path: '/mcpServers/one/headers/Authorization', before: 'string', after: 'string' },
        {
          path: '/mcpServers/one/disabled',
          before: 'boolean',
          after: 'boolean',
          beforeText: 'true',
          afterText: 'false',
        },
        {
          path: '/mcpServers/gone',
          before: 'object',
          beforeText: '{"url":"https://mcp.example/","headers":{"Authorization":{"kept":1}},"disabled":true}',
        },
      ],
    })
  })

  test.each(['', '?from=1', '?from=1&to=0', '?from=1&to=x', '?from=-1&to=1', '?from=1&to=99999999999'])(
    'a comparison needs two numbers of versions: "%s"',
    async (query) => {
      expect(await problemOf(await ada.get(paths.configDiff + query))).toEqual({
        status: 422,
        code: 'invalid_request',
      })
    },
  )

  test('a rollback saves the earlier servers with their secrets as a new version, and says so to open pages [C25]', async () => {
    await save(ada, { one: server('first') })
    await save(ada, {})
    const events: unknown[] = []
    const unfollow = gateway.services.events.subscribe(`ada-${people}`, (event) => events.push(event))
    const response = await ada.post(paths.configRollback, { version: 1, expectedVersion: 2 })
    unfollow()
    expect(await response.json()).toMatchObject({ success: true, version: 3 })
    const now: ConfigResponse = await (await ada.get(paths.config)).json()
    expect(now).toEqual({ mcpServers: { one: server('first') }, version: 3 })
    expect(events).toEqual([{ type: 'config', version: 3 }])
  })

  test('a rollback changes nothing after somebody else has saved, or for a version that does not exist', async () => {
    await save(ada, { one: server('first') })
    await save(ada, {})
    const stale = await ada.post(paths.configRollback, { version: 1, expectedVersion: 1 })
    expect(await problemOf(stale)).toEqual({ status: 409, code: 'version_conflict' })
    for (const [caller, version] of [
      [ada, 9],
      [bob, 1],
    ] as const)
      expect(await problemOf(await caller.post(paths.configRollback, { version }))).toEqual({
        status: 404,
        code: 'version_not_found',
      })
    for (const body of [{}, { version: 0 }, { version: '1' }, { version: 1, force: true }])
      expect((await ada.post(paths.configRollback, body)).status).toBe(422)
    expect(await (await ada.get(paths.config)).json()).toEqual({ mcpServers: {}, version: 2 })
  })

  test('a rollback to a program is refused where programs may no longer be saved', async () => {
    await save(ada, { one: { command: 'no-such-program', args: [] } })
    await save(ada, {})
    const strict = createTestGateway({ lockbox, principals: [`ada-${people}`], savedPrograms: false })
    const response = await strict.as(`ada-${people}`).post(paths.configRollback, { version: 1 })
    expect(await problemOf(response)).toEqual({ status: 422, code: 'config_invalid' })
    await strict[Symbol.asyncDispose]()
    expect(await (await ada.get(paths.config)).json()).toEqual({ mcpServers: {}, version: 2 })
  })
})
