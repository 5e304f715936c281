import { ConfigError } from '@toolbridge/bridge'
import {
  executionContext,
  readToolkits,
  type ExecutionContext,
  getExecutionContext,
  type MCPToolkitMap,
  withExecutionContext,
} from '@toolbridge/bridge/context'
import { createMemoryPair } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { isLive, toolkitSpec } from '../../src/context/toolkits/toolkits.ts'

const toolkits: MCPToolkitMap = {
  web: { transport: { kind: 'http', spec: { url: 'https://web.test/mcp' } } },
  'a/b': { transport: { kind: 'stdio', spec: { command: 'npx', args: ['-y', 'b'], env: { K: 'v' } } } },
}

function contextOf(id: string): ExecutionContext {
  return { principal: { id, kind: 'session' }, mcp: { toolkits } }
}

test('everything that runs inside finds its own context, and nothing outside does [D38] [S2-1] [S2-28]', async () => {
  const seen = await Promise.all(
    Array.from({ length: 50 }, (_unused, index) =>
      withExecutionContext(contextOf(`user-${index}`), async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return getExecutionContext()?.principal.id
      }),
    ),
  )
  expect(seen).toEqual(Array.from({ length: 50 }, (_unused, index) => `user-${index}`))
  expect(getExecutionContext()).toBeUndefined()
})

test('a context is a frozen copy: later changes do not reach what runs inside', async () => {
  const secrets = { KEY: canary('before') }
  await withExecutionContext({ ...contextOf('me'), secrets }, async () => {
    secrets.KEY = 'after'
    const context = getExecutionContext()
    expect(context?.secrets).toEqual({ KEY: canary('before') })
    expect(Object.isFrozen(context)).toBe(true)
    expect(Object.isFrozen(context?.mcp?.toolkits['web']?.transport)).toBe(true)
  })
})

test('a context that is not valid is refused with every issue, and nothing runs', async () => {
  const wrong = {
    principal: { id: '', kind: 'robot', scopes: [] },
    secrets: { A: 1 },
    mcp: {
      deny: ['a'],
      toolkits: {
        a: { transport: { kind: 'stdio', spec: { command: 1, args: 'x', env: { K: [] } } }, tools: 3 },
        b: { transport: { kind: 'http', spec: { headers: [] } } },
        c: { transport: { kind: 'smoke', spec: {} } },
        d: 5,
        e: {},
        f: { transport: { kind: 'ws', spec: { url: 'ws://x' } }, transportSpec: { command: 'x', args: [] } },
        g: { transportSpec: { args: [1] }, tools: [{}, { name: 'x', inputSchema: 5 }] },
        h: { transport: { kind: 'sse', spec: 'x' }, tools: { y: 1 } },
        i: { transportSpec: { command: 'x', args: [], cwd: '/' }, disabled: true },
      },
    },
  }
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic['properties'] = cyclic
  Object.assign(wrong.mcp.toolkits, {
    j: {
      transportSpec: { command: 'x', args: [] },
      tools: [
        { name: 'x', inputSchema: cyclic },
        { name: 'y', inputSchema: { type: 'object', size: 1n } },
      ],
    },
  })
  let ran = false
  const attempt = withExecutionContext(wrong as unknown as ExecutionContext, async () => {
    ran = true
  })
  await expect(attempt).rejects.toThrow(ConfigError)
  const issues = await attempt.catch((error: unknown) => (error instanceof ConfigError ? error.issues : []))
  expect(issues?.map((issue) => issue.path)).toEqual([
    '/principal/id',
    '/principal/kind',
    '/principal/scopes',
    '/secrets/A',
    '/mcp/deny',
    '/mcp/toolkits/a/tools',
    '/mcp/toolkits/a/transport/spec/command',
    '/mcp/toolkits/a/transport/spec/args',
    '/mcp/toolkits/a/transport/spec/env/K',
    '/mcp/toolkits/b/transport/spec/headers',
    '/mcp/toolkits/b/transport/spec/url',
    '/mcp/toolkits/c/transport/kind',
    '/mcp/toolkits/d',
    '/mcp/toolkits/e/transport',
    '/mcp/toolkits/f',
    '/mcp/toolkits/g/tools/0/name',
    '/mcp/toolkits/g/tools/1/inputSchema',
    '/mcp/toolkits/g/transportSpec/command',
    '/mcp/toolkits/g/transportSpec/args',
    '/mcp/toolkits/h/tools/y',
    '/mcp/toolkits/h/transport/spec',
    '/mcp/toolkits/i/disabled',
    '/mcp/toolkits/i/transportSpec/cwd',
    '/mcp/toolkits/j/tools/0/inputSchema',
    '/mcp/toolkits/j/tools/1/inputSchema',
  ])
  expect(ran).toBe(false)
})

test('the fields of a context can be had by name, as a workflow engine asks for them [S2-2] [S2-7]', async () => {
  await withExecutionContext(contextOf('me'), async () => {
    expect(getExecutionContext()?.get('mcp')?.toolkits).toEqual(getExecutionContext()?.mcp?.toolkits)
    expect(getExecutionContext()?.get('apiKeys')).toBeUndefined()
  })
})

test('every way to write a toolkit becomes the same one, with an environment of texts [S2-2] [S2-6] [S2-20] [S2-21] [S2-23] [S2-24] [S2-27]', async () => {
  const spec = { command: 'npx', args: ['-y', 'tavily-mcp'], env: { KEY: 'k', DEPTH: 2, DEEP: true } }
  const tools = { search: { description: 'Finds', inputSchema: { type: 'object' }, execute: () => 1 } }
  const input = {
    golden: { transport: { kind: 'stdio', spec }, tools },
    short: { transportSpec: spec },
  } as const
  await withExecutionContext({ ...contextOf('me'), mcp: { toolkits: input } }, async () => {
    const transport = {
      kind: 'stdio',
      spec: { command: 'npx', args: ['-y', 'tavily-mcp'], env: { KEY: 'k', DEPTH: '2', DEEP: 'true' } },
    }
    expect({ ...getExecutionContext()?.mcp?.toolkits }).toEqual({
      golden: {
        transport,
        tools: [{ name: 'search', description: 'Finds', inputSchema: { type: 'object' } }],
      },
      short: { transport },
    })
  })
})

test('a link is carried as it is, beside data that is copied', async () => {
  const [link] = createMemoryPair()
  await withExecutionContext(
    { ...contextOf('me'), mcp: { toolkits: { near: { transport: link } } } },
    async () => {
      expect(getExecutionContext()?.mcp?.toolkits['near']?.transport).toBe(link)
      expect(Object.isFrozen(link)).toBe(false)
    },
  )
})

test('toolkits that were read are taken as they are, and what only looks like them is read', () => {
  const read = readToolkits({ web: { transport: { kind: 'http', spec: { url: 'https://a.example' } } } })
  const principal = { id: 'me', kind: 'session' } as const
  expect(executionContext({ principal, mcp: { toolkits: read } }).mcp?.toolkits).toBe(read)
  const alike = Object.freeze({ ...read })
  const copied = executionContext({ principal, mcp: { toolkits: alike } }).mcp?.toolkits
  expect(copied).toEqual(read)
  expect(copied).not.toBe(alike)
})

test('what runs for a session cannot become local; it can become another session', async () => {
  const local = { principal: { id: 'me', kind: 'local' } } as const
  await withExecutionContext(contextOf('ada'), async () => {
    await expect(withExecutionContext(local, async () => {})).rejects.toThrow('a session cannot become local')
    expect(
      await withExecutionContext(contextOf('bob'), async () => getExecutionContext()?.principal.id),
    ).toBe('bob')
  })
  await withExecutionContext(local, () => withExecutionContext(local, async () => {}))
})

test('a name that every object knows is no toolkit unless somebody defined it', async () => {
  await withExecutionContext(contextOf('me'), async () => {
    expect(getExecutionContext()?.mcp?.toolkits['constructor']).toBeUndefined()
  })
})

test('toolkits become server definitions [S2-27]', () => {
  const specs = Object.entries(toolkits).map(
    ([name, { transport }]) => !isLive(transport) && toolkitSpec(name, transport),
  )
  expect(specs).toEqual([
    {
      name: 'web',
      enabled: true,
      required: false,
      source: { file: 'execution context', pointer: '/mcp/toolkits/web' },
      transport: 'http',
      url: 'https://web.test/mcp',
      headers: {},
    },
    {
      name: 'a/b',
      enabled: true,
      required: false,
      source: { file: 'execution context', pointer: '/mcp/toolkits/a~1b' },
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'b'],
      env: { K: 'v' },
    },
  ])
})
