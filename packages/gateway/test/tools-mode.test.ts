import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bearerOf } from './support/gateway.ts'
import { connectHost, type Host, type HostOptions } from './support/host.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { sendModern } from './support/modern.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { questionsOf, untilAsked, untilHang, untilNothingAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let listening: ListeningGateway
beforeAll(async () => {
  listening = await listenTestGateway({
    lockbox,
    tools: 'code',
    operatorServers: [inMemory('hello'), inMemory('elicit')],
    permissions: { mode: 'allow', ask: ['mcp://hello/repeat'], deny: ['mcp://elicit/whoami_slow'] },
  })
  const local = listening.gateway.as('local')
  await Promise.all(['hello', 'elicit'].map((name) => untilServer(local, name, 'ready')))
})
afterAll(() => listening[Symbol.asyncDispose]())

const text = (value: unknown): object => ({ content: [{ type: 'text', text: value }] })

function runCode(host: Host, code: string, signal?: AbortSignal): Promise<unknown> {
  return host.client.callTool({ name: 'run_code', arguments: { code } }, undefined, signal && { signal })
}

async function namesOf(host: Host): Promise<readonly string[]> {
  return (await host.client.listTools()).tools.map(({ name }) => name)
}

describe('a host of a gateway whose tools are called from code', () => {
  test('sees run_code only, which declares the tools that it may call', async () => {
    await using host = await connectHost(listening.url)
    const { tools } = await host.client.listTools()
    expect(tools).toMatchObject([{ name: 'run_code', inputSchema: { type: 'object', required: ['code'] } }])
    expect(tools[0]?.description).toContain('hello__hello(args: {')
    expect(tools[0]?.description).not.toContain('whoami_slow')
    await expect(host.client.callTool({ name: 'hello__hello' })).rejects.toMatchObject({ code: -32_602 })
  })

  test('runs code, whose calls are those of the host’s session', async () => {
    await using host = await connectHost(listening.url)
    const code = `const texts = await Promise.all(['Ada', 'Bob'].map((name) => tools.hello__hello({ name })))
      return texts`
    expect(await runCode(host, code)).toMatchObject(text('["Hello, Ada!","Hello, Bob!"]'))
    await vi.waitFor(async () => {
      const { entries } = await (await listening.gateway.as('local').get(paths.activity)).json()
      const commons = { outcome: 'ok', conversation: `mcp:${host.sessionId}` }
      const call = { ...commons, tool: 'hello__hello', parent: entries[0]?.id }
      expect(entries.slice(0, 3)).toMatchObject([{ ...commons, tool: 'run_code', server: '' }, call, call])
      const trace = await (await listening.gateway.as('local').get(paths.trace(entries[0]?.id))).json()
      expect(trace.calls.map(({ id }: { id: string }) => id)).toEqual([entries[2]?.id, entries[1]?.id])
    }, untilHang)
  })

  test('is told of code that fails by a result that the model reads', async () => {
    await using host = await connectHost(listening.url)
    expect(await runCode(host, 'return = 1')).toMatchObject({
      isError: true,
      ...text(expect.stringMatching(/^The code failed \(line 1\): SyntaxError/)),
    })
    expect(await host.client.callTool({ name: 'run_code', arguments: {} })).toMatchObject({ isError: true })
  })

  test('hears of each call that has ended', async () => {
    await using host = await connectHost(listening.url)
    const told: unknown[] = []
    const code = 'for (let i = 0; i < 3; i++) await tools.hello__hello({})'
    const options = { onprogress: (progress: unknown) => told.push(progress) }
    await host.client.callTool({ name: 'run_code', arguments: { code } }, undefined, options)
    expect(told).toEqual([1, 2, 3].map((progress) => ({ progress, message: 'hello__hello' })))
  })

  test('answers the questions of its code', async () => {
    const onQuestion = vi.fn(async () => ({ action: 'accept' as const, content: { name: 'Ada' } }))
    await using host = await connectHost(listening.url, { onQuestion })
    expect(await runCode(host, `return [await tools.elicit__greet_me({}), 'and on']`)).toMatchObject(
      text('["Hello, Ada!","and on"]'),
    )
    expect(onQuestion).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: 'elicit: What is your name?' }),
    )
  })

  test('cannot approve what its code calls, nor call what a rule denies', async () => {
    const local = listening.gateway.as('local')
    const onQuestion = vi.fn(async () => ({ action: 'accept' as const }))
    await using host = await connectHost(listening.url, { onQuestion })
    const refused = runCode(host, `return await tools.hello__repeat({ text: 'a' }).catch((e) => e.message)`)
    const item = await untilAsked(local)
    expect(item).toMatchObject({ kind: 'approval', detail: 'hello__repeat {"text":"a"}' })
    await local.post(paths.answer(item.id), { action: 'decline' })
    expect(await refused).toMatchObject(text(expect.stringContaining('was refused')))
    expect(onQuestion).not.toHaveBeenCalled()
    expect(await runCode(host, 'return typeof tools.elicit__whoami_slow')).toMatchObject(text('undefined'))
  })

  test('ends the code, its calls and their questions by cancelling', async () => {
    const local = listening.gateway.as('local')
    await using host = await connectHost(listening.url)
    const leaving = new AbortController()
    const code = 'await tools.elicit__greet_me({}).catch(() => {}); for (;;);'
    const call = expect(runCode(host, code, leaving.signal)).rejects.toThrow()
    await untilAsked(local)
    leaving.abort('changed my mind')
    await call
    await untilNothingAsked(local)
    await vi.waitFor(async () => {
      const { entries } = await (await local.get(paths.activity)).json()
      const [latest] = entries.filter(({ tool }: { tool: string }) => tool !== 'run_code')
      expect(latest).toMatchObject({ tool: 'elicit__greet_me', outcome: 'cancelled' })
    }, untilHang)
  })

  test('is told when the tools change, and reads the new declaration', async () => {
    const onToolsChanged = vi.fn()
    await using bob = await connectHost(listening.url, { token: canary('bob'), onToolsChanged })
    const declared = async () => (await bob.client.listTools()).tools[0]?.description
    expect(await declared()).not.toContain('mine__hello')
    const caller = listening.gateway.as('bob')
    await caller.post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
    await untilServer(caller, 'mine', 'ready')
    await vi.waitFor(() => expect(onToolsChanged).toHaveBeenCalled(), untilHang)
    expect(await declared()).toContain('mine__hello(args: {')
  })

  test('of the modern era does the same without a session; its questions go to the inbox', async () => {
    const local = listening.gateway.as('local')
    const url = listening.url + paths.mcp
    const { result } = await sendModern(url, 'tools/list')
    expect(result.tools).toMatchObject([{ name: 'run_code' }])
    const code = `return [await tools.elicit__greet_me({}), await tools.hello__hello({ name: 'Ada' })]`
    const call = sendModern(url, 'tools/call', { name: 'run_code', arguments: { code } })
    const { id } = await untilAsked(local)
    await local.post(paths.answer(id), { action: 'accept', content: { name: 'Grace' } })
    expect((await call).result).toMatchObject(text('["Hello, Grace!","Hello, Ada!"]'))
  })

  test('of the modern era ends the code by hanging up', async () => {
    const local = listening.gateway.as('local')
    const leaving = new AbortController()
    const params = { name: 'run_code', arguments: { code: 'await tools.elicit__greet_me({})' } }
    const call = sendModern(listening.url + paths.mcp, 'tools/call', params, leaving.signal)
    const left = expect(call).rejects.toThrow()
    await untilAsked(local)
    leaving.abort()
    await left
    await untilNothingAsked(local)
  })
})

describe('the URL of a host', () => {
  const connect = (tools: string, options: HostOptions = {}): Promise<Host> =>
    connectHost(listening.url, { ...options, query: `?tools=${tools}` })

  test('names another mode, for its own session only', async () => {
    await using all = await connect('all')
    await using search = await connect('search')
    await using code = await connectHost(listening.url)
    expect(await namesOf(all)).toContain('hello__hello')
    expect(await namesOf(search)).toEqual(['tool_search', 'call_tool'])
    expect(await namesOf(code)).toEqual(['run_code'])
    const modern = (tools: string) => sendModern(`${listening.url}${paths.mcp}?tools=${tools}`, 'tools/list')
    expect((await modern('search')).result.tools).toHaveLength(2)
    expect((await modern('code')).result.tools).toHaveLength(1)
  })

  test('lets a host find tools by search and call them, except those that a rule denies', async () => {
    const onQuestion = async () => ({ action: 'accept' as const, content: { name: 'Ada' } })
    await using host = await connect('search', { onQuestion })
    const found = await host.client.callTool({ name: 'tool_search', arguments: { query: 'who am I, slow' } })
    expect(JSON.stringify(found)).not.toContain('whoami_slow')
    const call = (name: string): Promise<unknown> =>
      host.client.callTool({ name: 'call_tool', arguments: { name, arguments: {} } })
    expect(await call('elicit__greet_me')).toMatchObject(text('Hello, Ada!'))
    expect(await call('elicit__whoami_slow')).toMatchObject({ isError: true })
    expect(await questionsOf(listening.gateway.as('local'))).toEqual([])
  })

  test('is refused if it names a mode that does not exist', async () => {
    const headers = { authorization: bearerOf('host'), accept: 'application/json, text/event-stream' }
    const response = await fetch(`${listening.url}${paths.mcp}?tools=some`, { method: 'POST', headers })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('all, search or code') },
    })
  })
})
