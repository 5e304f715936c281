import { randomBytes } from 'node:crypto'
import { paths, type WorkflowInvokeResponse } from '@toolbridge/api'
import type { ServerSpec } from '@toolbridge/bridge'
import { type Lockbox, openKeyring, openLockbox } from '@toolbridge/lockbox'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { createGatewayClient } from '../../react/src/gateway-client.ts'
import { createSyncStore, type SyncStore } from '../../react/src/sync-store.ts'
import { createTestGateway, type TestGateway } from './support/gateway.ts'
import { savedInMemory } from './support/specs.ts'

describeDatabase('from the page to the workflow', (databases) => {
  let lockbox: Lockbox
  let gateway: TestGateway
  let person = 0
  /** Names and keys of the servers that were started for workflows and for the console. */
  let started: string[]
  let reads: number

  beforeAll(async () => {
    const keyring = await openKeyring({ key: randomBytes(32).toString('hex') })
    lockbox = await openLockbox({ location: await databases.location(), keyring })
  })
  afterAll(() => lockbox?.close())
  beforeEach(() => {
    person += 1
    started = []
    reads = 0
    gateway = createTestGateway({
      lockbox: { ...lockbox, settings: { ...lockbox.settings, read: countedRead } },
      principals: [name()],
      transportOf: (spec) => {
        started.push(`${spec.name} ${keyOf(spec)}`)
        return linkInMemory(spec)
      },
    })
  })
  afterEach(() => gateway[Symbol.asyncDispose]())

  const name = (): string => `ada-${person}`
  const countedRead: Lockbox['settings']['read'] = (owner, key) => {
    if (key.name === 'servers') reads += 1
    return lockbox.settings.read(owner, key)
  }

  function keyOf(spec: ServerSpec): string {
    return spec.transport === 'stdio' ? (spec.env['KEY'] ?? '') : ''
  }

  /** The store of the hook `useMCPSync`, in a browser with nothing stored. */
  function page(): SyncStore {
    const send: typeof fetch = async (input, init) => gateway.app.request(new Request(input, init))
    const client = createGatewayClient({
      baseUrl: 'http://localhost',
      token: () => canary(name()),
      fetch: send,
    })
    return createSyncStore({ client })
  }

  async function invoke(nodes: readonly object[], more: object = {}): Promise<WorkflowInvokeResponse> {
    const body = { workflowId: 'digest@3', nodes, ...more }
    return (await gateway.as(name()).post(paths.invoke, body)).json()
  }

  const hello = (tool = 'mcp://tavily/hello'): object => ({
    kind: 'tool',
    id: tool,
    tool,
    arguments: { name: 'Ada' },
  })
  const tavily = savedInMemory('hello')

  test('[S2-87] [S2-47] [S2-52] [S2-70] a server that a person configures in the page is a tool of their workflows after the save, with no file [S2-12] [S2-71] [S2-81] [S2-95]', async () => {
    const store = page()
    store.setLocal({ tavily })
    expect((await invoke([hello()])).nodes).toMatchObject([{ status: 'failed', code: 'unknown_tool' }])
    expect(await store.saveToBackend()).toMatchObject({ status: 'ready', version: 1 })
    const { nodes, failedToolkits } = await invoke([hello(), hello('tavily__hello')])
    expect(nodes).toMatchObject([
      { status: 'ok', result: { content: [{ text: 'Hello, Ada!' }] } },
      { status: 'ok', result: { content: [{ text: 'Hello, Ada!' }] } },
    ])
    expect(failedToolkits).toEqual([])
    expect(started).toContain(`tavily ${canary('saved')}`)
    await invoke([hello('tavily__hello')])
    const resolved = 'workflow "digest@3": toolkit "tavily" (context): tavily__hello'
    expect(gateway.logged.filter((line) => line === resolved)).toHaveLength(1)
  })

  test('[S2-87] a secret that left the browser is used by workflows after an edit in the page, and a removed server is gone', async () => {
    const store = page()
    store.setLocal({ tavily })
    await store.saveToBackend()
    store.setLocal({ ...store.getSnapshot().mcpServers, other: savedInMemory('elicit') })
    expect(JSON.stringify(store.getSnapshot().mcpServers['tavily'])).not.toContain(canary('saved'))
    await store.saveToBackend()
    started = []
    await invoke([hello()])
    expect(started).toContain(`tavily ${canary('saved')}`)
    const { tavily: _removed, ...rest } = store.getSnapshot().mcpServers
    store.setLocal(rest)
    await store.saveToBackend()
    expect((await invoke([hello()])).nodes).toMatchObject([{ code: 'unknown_tool' }])
  })

  test('[S2-92] an invocation reads the saved servers once, and only if a node names one', async () => {
    const store = page()
    store.setLocal({ tavily })
    await store.saveToBackend()
    reads = 0
    await invoke([{ kind: 'agent', id: 'a', model: 'openai/gpt', prompt: 'Hello?' }])
    expect(reads).toBe(0)
    expect((await invoke([hello(), hello(), hello('tavily__hello')])).nodes).toHaveLength(3)
    expect(reads).toBe(1)
  })

  test('[S2-69] [S2-93] invocations of a workflow use one client, and another workflow its own [S2-5]', async () => {
    await lockbox.settings.save(name(), { namespace: 'mcp', name: 'servers' }, { mcpServers: { tavily } })
    await Promise.all([invoke([hello()]), invoke([hello()])])
    await invoke([hello()])
    expect(started).toHaveLength(1)
    await invoke([hello()], { workflowId: 'another' })
    expect(started).toHaveLength(2)
  })

  test('[S2-28] secrets of a request are the values that saved servers name, and are not stored', async () => {
    const env = { KEY: '${secret:TAVILY}' }
    const mcpServers = { tavily: { ...tavily, env } }
    await lockbox.settings.save(name(), { namespace: 'mcp', name: 'servers' }, { mcpServers })
    const { nodes } = await invoke([hello()], { secrets: { TAVILY: canary('request') } })
    expect(nodes).toMatchObject([{ status: 'ok' }])
    expect(started).toEqual([`tavily ${canary('request')}`])
    await invoke([hello()])
    expect(started).toEqual([`tavily ${canary('request')}`, 'tavily '])
  })
})
