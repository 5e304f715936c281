import type { Answer } from '@toolbridge/bridge'
import {
  type AgentAppsContext,
  type AgentAppsTool,
  mcpMiddleware,
  type MCPNotice,
  pathGet,
} from '@toolbridge/bridge/agent-apps'
import { toText } from '@toolbridge/bridge'
import { withExecutionContext } from '@toolbridge/bridge/context'
import { canary } from '@toolbridge/testkit/secrets'
import { startHttpFixture } from '@toolbridge/testkit/servers'
import { afterEach, expect, test, vi } from 'vitest'
import { fixture, ownServer, plainServer } from '../servers/specs.ts'
import { session } from '../servers/workflows.ts'

interface TestContext extends AgentAppsContext {
  readonly target: { readonly metadata: { readonly mcp: unknown }; readonly config: Record<string, unknown> }
}

const notices: MCPNotice[] = []
let started: string[] = []
let mcp = createMiddleware()

function createMiddleware(
  options: Parameters<typeof mcpMiddleware>[0] = {},
): ReturnType<typeof mcpMiddleware> {
  return mcpMiddleware({
    local: { kind: 'local', env: { GITHUB_TOKEN: canary('environment') }, workspaceFolder: '/' },
    onNotice: (notice) => notices.push(notice),
    clientOptions: ({ id }) => ({
      permissions: { mode: 'allow' },
      journal: (event) => void (event.type === 'toolkit.started' && started.push(`${id} ${event.toolkit}`)),
    }),
    ...options,
  })
}

afterEach(async () => {
  await mcp.close()
  mcp = createMiddleware()
  notices.length = 0
  started = []
})

/** A pipeline that came in by some channel; what `gateway-receive` is asked for in it is kept. */
function contextOf(
  servers: unknown,
  channel = 'cli',
  registry = new Map<string, AgentAppsTool>(),
): TestContext & { readonly received: unknown[] } {
  const received: unknown[] = []
  return {
    nonlocals: { rootContextId: `root-${channel}`, gateway: { type: channel } },
    globals: {
      tools: { programmaticTools: registry },
      runtime: {
        invoke: async (skill, args, { nonlocals }): Promise<Answer> => {
          received.push({ skill, args, gateway: nonlocals['gateway'] })
          return { action: 'accept', content: { name: channel } }
        },
      },
    },
    target: { metadata: { mcp: servers }, config: {} },
    received,
  }
}

function entryOf({ command, args, env }: ReturnType<typeof plainServer>, more: object = {}): object {
  return { command, args, env: { ...env, ...more } }
}

async function call(context: AgentAppsContext, name: string, args = {}): Promise<string> {
  const tool = context.globals.tools.programmaticTools.get(name)
  if (tool === undefined) throw new TypeError(`there is no tool ${name}`)
  return toText(await tool.fn(context, args))
}

test('servers start with the first invocation that names them, once, and their tools are registered [S0-14] [S0-15] [S0-2] [S0-5] [S0-6] [D17]', async () => {
  const context = contextOf({ filesystem: entryOf(plainServer('files')) })
  expect(started).toEqual([])
  await Promise.all([mcp.fn(context), mcp.fn(context), mcp.fn(context)])
  expect(started).toEqual(['local filesystem'])
  expect([...context.globals.tools.programmaticTools.keys()].toSorted()).toEqual([
    'filesystem-echo',
    'filesystem-grow',
    'filesystem-hang',
    'filesystem-wait',
  ])
  expect(context.target.config['mcp']).toMatchObject({
    filesystem: { tools: expect.arrayContaining(['filesystem-echo']) },
  })
  expect(await call(context, 'filesystem-echo', { text: 'hi' })).toBe('files hi')
})

test('a tool has a kebab name, an address as its source, and params [S0-16] [S0-21] [S0-22]', async () => {
  const context = contextOf({ 'My_Pictures!': entryOf(ownServer('gallery')) })
  await mcp.fn(context)
  const registry = context.globals.tools.programmaticTools
  expect(registry.get('my-pictures-broken-picture')).toMatchObject({
    name: 'my-pictures-broken-picture',
    src: 'mcp://My_Pictures!/broken-picture',
    params: { type: 'object' },
    fn: expect.any(Function),
  })
  for (const name of registry.keys()) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})

test('an entry takes the place of the one of that name further out, whole, and the others stay', async () => {
  const context = contextOf([
    { a: entryOf(plainServer('outer a'), { SECRET: canary('outer') }), b: entryOf(plainServer('outer b')) },
    { a: entryOf(plainServer('inner a')) },
  ])
  await mcp.fn(context)
  expect(await call(context, 'a-echo', { text: '' })).toBe('inner a ')
  expect(await call(context, 'b-echo', { text: '' })).toBe('outer b ')
  expect(started.toSorted()).toEqual(['local a', 'local b'])
})

test('${path} is what the context has there, when the metadata is read [S0-9]', async () => {
  const { command, args } = plainServer('x')
  const context = contextOf(
    { a: { command, args, env: { NAME: 'for ${nonlocals.gateway.type} ${nonlocals["rootContextId"]}' } } },
    'email',
  )
  await mcp.fn(context)
  expect(await call(context, 'a-echo', { text: '' })).toBe('for email root-email ')
})

test('\\${NAME} is an environment variable when the server is launched [S0-11] [S0-12] [S0-13]', async () => {
  const { command, args } = plainServer('x')
  const context = contextOf({ a: { command, args, env: { NAME: '\\${GITHUB_TOKEN}' } } })
  await mcp.fn(context)
  expect(await call(context, 'a-echo', { text: '' })).toBe(`${canary('environment')} `)
})

test('a reference without the backslash is not the environment: its value is left out, with a warning [S0-10]', async () => {
  const { command, args } = plainServer('x')
  const context = contextOf({ a: { command, args, env: { NAME: '${GITHUB_TOKEN}' } } })
  await mcp.fn(context)
  expect(await call(context, 'a-echo', { text: '' })).toBe('plain ')
  expect(notices.map(({ message }) => message)).toEqual([expect.stringContaining('\\${GITHUB_TOKEN}')])
})

test('what the context holds is put in and never looked at again', async () => {
  const { command, args } = plainServer('x')
  const context = contextOf(
    { a: { command, args, env: { NAME: '${nonlocals.gateway.type}' } } },
    '${env:GITHUB_TOKEN}',
  )
  await mcp.fn(context)
  expect(await call(context, 'a-echo', { text: '' })).toBe('${env:GITHUB_TOKEN} ')
})

test('a warning is printed to stderr where the host takes no notices', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await using middleware = mcpMiddleware({ local: { kind: 'local', env: {}, workspaceFolder: '/' } })
  await middleware.fn(contextOf({ broken: { command: '/nowhere' } }))
  const printed = stderr.mock.calls.map(([text]) => String(text))
  stderr.mockRestore()
  expect(printed).toEqual([expect.stringMatching(/broken.*\n$/s)])
})

test('an address goes before a command, and an address alone is enough [S0-3] [S0-4] [S0-5] [S0-7] [S0-8] [D7] [D9]', async () => {
  await using remote = await startHttpFixture('hello')
  const context = contextOf({ far: { url: remote.url }, both: { url: remote.url, command: '/nowhere' } })
  await mcp.fn(context)
  expect(await call(context, 'far-hello')).toBe('Hello, world!')
  expect(await call(context, 'both-hello')).toBe('Hello, world!')
})

test('one server that fails leaves the others alone, and is tried again by the next invocation', async () => {
  const context = contextOf({ broken: { command: '/nowhere' }, fine: entryOf(plainServer('fine')) })
  await mcp.fn(context)
  await mcp.fn(context)
  expect(context.target.config['mcp']).toMatchObject({ broken: { error: expect.any(String) }, fine: {} })
  expect(notices.map(({ toolkit }) => toolkit)).toEqual(['broken', 'broken'])
  expect(await call(context, 'fine-echo', { text: '' })).toBe('fine ')
})

test('a question goes to the channel of the context that made the call, no matter which context started the server [S0-23] [S0-29] [S0-30] [S0-26] [S0-27] [D26]', async () => {
  const servers = { elicit: entryOf(fixture('elicit')) }
  const registry = new Map<string, AgentAppsTool>()
  const [cli, email, slack] = ['cli', 'email', 'slack'].map((channel) =>
    contextOf(servers, channel, registry),
  )
  if (cli === undefined || email === undefined || slack === undefined) throw new TypeError('three contexts')
  // The lazy start happens inside the first context: the trap that ambient storage falls into.
  await mcp.fn(cli)
  const said = await Promise.all(
    [cli, email, slack, email].map((context) => call(context, 'elicit-greet-me')),
  )
  expect(said).toEqual(['Hello, cli!', 'Hello, email!', 'Hello, slack!', 'Hello, email!'])
  expect([cli, email, slack].map(({ received }) => received.length)).toEqual([1, 2, 1])
  expect(email.received[0]).toMatchObject({
    skill: 'gateway-receive',
    gateway: { type: 'email' },
    args: { kind: 'form', server: 'elicit', message: 'What is your name?', schema: { required: ['name'] } },
  })
})

test.each([
  ['share a gateway', { gateway: { type: 'cli' } }],
  ['have none', {}],
])(
  'contexts without a root context that %s are asked each in its own [S0-23] [S0-30]',
  async (_what, nonlocals) => {
    const servers = { elicit: entryOf(fixture('elicit')) }
    const registry = new Map<string, AgentAppsTool>()
    const names = ['one', 'two', 'three']
    const contexts = names.map((name) => ({ ...contextOf(servers, name, registry), nonlocals }))
    const [first] = contexts
    if (first === undefined) throw new TypeError('three contexts')
    await mcp.fn(first)
    const ask = (context: AgentAppsContext) => call(context, 'elicit-whoami-slow', { delayMs: 20 })
    expect(await Promise.all(contexts.map(ask))).toEqual(names.map((name) => `You are ${name}.`))
    expect(contexts.map(({ received }) => received.length)).toEqual([1, 1, 1])
  },
)

test('a host can say itself how a question is received, and what is no answer answers nothing', async () => {
  const own = createMiddleware({ gatewayReceive: async () => ({ action: 'decline' }) })
  const context = contextOf({ elicit: entryOf(fixture('elicit')) })
  await own.fn(context)
  expect(await call(context, 'elicit-greet-me')).toContain('decline')
  await own.close()
  const mute: AgentAppsContext = {
    ...context,
    globals: { ...context.globals, runtime: { invoke: async () => 'Ada' } },
  }
  await mcp.fn(mute)
  expect(await call(mute, 'elicit-greet-me')).toContain('cancel')
})

test('a person who allows a call may allow more than that one, as far as the question permits', async () => {
  const cautious = createMiddleware({ clientOptions: () => ({ permissions: { mode: 'ask' } }) })
  const offered: unknown[] = []
  const invoke: AgentAppsContext['globals']['runtime']['invoke'] = async (_skill, { kind, decisions }) => {
    offered.push({ kind, decisions })
    return { action: 'accept', decision: 'tool' }
  }
  const base = contextOf({ plain: entryOf(plainServer('plain')) })
  const context = { ...base, globals: { ...base.globals, runtime: { invoke } } }
  await cautious.fn(context)
  for (const text of ['a', 'b']) expect(await call(context, 'plain-echo', { text })).toBe(`plain ${text}`)
  expect(offered).toEqual([{ kind: 'approval', decisions: ['once', 'session', 'tool', 'always'] }])
  await cautious.close()
})

test('principals who share a registry do not share clients, and a session’s metadata may not name the environment', async () => {
  const registry = new Map<string, AgentAppsTool>()
  const context = contextOf({ a: entryOf(plainServer('x')) }, 'cli', registry)
  const run = <T>(id: string, work: () => Promise<T>): Promise<T> =>
    withExecutionContext({ principal: session(id) }, work)
  await run('ada', () => mcp.fn(context))
  await run('bob', () => call(context, 'a-echo', { text: '' }))
  expect(started).toEqual(['ada a', 'bob a'])
  const greedy = contextOf({ a: { command: 'node', env: { KEY: '\\${GITHUB_TOKEN}' } } })
  await run('ada', () => mcp.fn(greedy))
  expect(greedy.target.config['mcp']).toMatchObject({
    a: { error: expect.stringContaining('belongs to the machine') },
  })
})

test('what one caller’s context put into a definition is never used for another caller of the same tool', async () => {
  const { command, args } = plainServer('x')
  const servers = { a: { command, args, env: { NAME: 'key of ${nonlocals.user}' } } }
  const registry = new Map<string, AgentAppsTool>()
  const of = (user: string): AgentAppsContext => {
    const context = contextOf(servers, user, registry)
    return { ...context, nonlocals: { ...context.nonlocals, user } }
  }
  const [ada, bob] = [of('ada'), of('bob')]
  const run = <T>(id: string, work: () => Promise<T>): Promise<T> =>
    withExecutionContext({ principal: session(id) }, work)
  await run('ada', () => mcp.fn(ada))
  expect(await run('bob', () => call(bob, 'a-echo', { text: '' }))).toBe('key of bob ')
  await run('bob', () => mcp.fn(bob))
  expect(await run('ada', () => call(ada, 'a-echo', { text: '' }))).toBe('key of ada ')
  expect(started).toEqual(['ada a', 'bob a'])
  expect(notices).toEqual([])
})

test('tools that a server has no more are taken out with the next invocation', async () => {
  const context = contextOf({ a: entryOf(plainServer('x')) })
  await mcp.fn(context)
  await mcp.fn({ ...context, target: { metadata: { mcp: { a: entryOf(fixture('hello')) } }, config: {} } })
  expect([...context.globals.tools.programmaticTools.keys()].toSorted()).toEqual(['a-hello', 'a-repeat'])
})

test('a name that is taken stays with the first in the order of the metadata, and a notice says so', async () => {
  const context = contextOf({ a: entryOf(plainServer('a')), 'a-grow': entryOf(plainServer('x')) })
  const own: AgentAppsTool = { name: 'a-echo', src: 'skill', params: {}, fn: async () => ({ content: [] }) }
  context.globals.tools.programmaticTools.set('a-echo', own)
  await mcp.fn(context)
  await mcp.fn(context)
  expect(context.globals.tools.programmaticTools.get('a-echo')).toBe(own)
  expect(context.target.config['mcp']).toMatchObject({ a: { tools: ['a-grow', 'a-hang', 'a-wait'] } })
  expect(notices[0]).toMatchObject({ code: 'tool_name_collision', toolkit: 'a' })
})

test.each<[string, unknown]>([
  ['a.b.c', 1],
  ['a.list[1].d', 'second'],
  ["a['b'].c", 1],
  ['$.a["b"].c', 1],
  ['$', undefined],
  ['a.none.c', undefined],
  ['a..b', undefined],
  ['a[x]', undefined],
  ['$.a[*]', undefined],
  ['constructor.name', undefined],
  ['a.list.length', 2],
  ['', undefined],
])('the path %s leads where it should', (path, found) => {
  const value = { a: { b: { c: 1 }, list: [{ d: 'first' }, { d: 'second' }] } }
  const got = pathGet(value, path)
  expect(got === value ? undefined : got).toEqual(found)
})
