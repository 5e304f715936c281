import { executionContext, withExecutionContext } from '@toolbridge/bridge/context'
import { type SetupMCPOptions, ToolManager } from '@toolbridge/bridge/workflow'
import type { ToolSet } from 'ai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  callTool,
  createTestWorkflows,
  memoryToolkit,
  session,
  type TestWorkflows,
} from '../servers/workflows.ts'

let mcp: TestWorkflows
let node: ToolManager

beforeEach(() => {
  mcp = createTestWorkflows()
  node = new ToolManager({ mcp, workflowVersionId: 'v1', mcpToolNames: ['elicit'] })
})
afterEach(() => mcp.close())

function inSession<T>(run: () => Promise<T>): Promise<T> {
  const toolkits = { elicit: memoryToolkit('elicit') }
  return withExecutionContext({ principal: session('ada'), mcp: { toolkits } }, run)
}

function answering(name: string): Required<Pick<SetupMCPOptions, 'answerer' | 'conversation'>> {
  return { conversation: name, answerer: { ask: async () => ({ action: 'accept', content: { name } }) } }
}

test('a manager passes the answerer and the conversation of each invocation on [S2-10] [S2-28]', async () => {
  const greet = (name: string): Promise<string> =>
    inSession(async () => callTool(await node.getAllTools(undefined, answering(name)), 'greet_me'))
  expect(await Promise.all([greet('email'), greet('slack')])).toEqual(['Hello, email!', 'Hello, slack!'])
})

test('a context that is passed counts instead of the active one, and each has tools of its own', async () => {
  const of = (id: string, name: string) =>
    executionContext({ principal: session(id), mcp: { toolkits: { [name]: memoryToolkit('elicit') } } })
  const [ada, bob] = [of('ada', 'elicit'), of('bob', 'other')]
  const shown = async (context: typeof ada) => Object.keys(await node.getAllTools(undefined, { context }))
  await inSession(async () => {
    expect(await shown(ada)).toEqual(expect.arrayContaining(['greet_me']))
    expect(await shown(bob)).toEqual([])
  })
  await shown(ada)
  expect(mcp.notices.map(({ code }) => code)).toEqual(['toolkit_resolved', 'toolkit_missing'])
})

test('a session does not become local by a context that is passed', async () => {
  const context = executionContext({ principal: { id: 'me', kind: 'local' } })
  await inSession(() =>
    expect(mcp.setupMCPForNode(['elicit'], 'v1', undefined, { context })).rejects.toThrow(
      'a session cannot become local',
    ),
  )
})

test('the clients of one principal are closed by name', async () => {
  const toolkits = { elicit: memoryToolkit('elicit') }
  const clients = (id: string) =>
    withExecutionContext(
      { principal: session(id), mcp: { toolkits } },
      async () => (await mcp.getMCPStatus()).cachedClients,
    )
  for (const id of ['ada', 'bob']) {
    const context = executionContext({ principal: session(id), mcp: { toolkits } })
    await mcp.setupMCPForNode(['elicit'], 'v1', undefined, { context })
  }
  expect([await clients('ada'), await clients('bob')]).toEqual([1, 1])
  await mcp.clearMCPClientCache(session('ada'))
  expect([await clients('ada'), await clients('bob')]).toEqual([0, 1])
})

test('the signal of an invocation ends its calls, and none of another one [S2-29]', async () => {
  const leaving = new AbortController()
  let onAsked = (): void => {}
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve
  })
  const waiting = {
    conversation: 'one',
    signal: leaving.signal,
    answerer: {
      ask: (_question: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> => {
        onAsked()
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
      },
    },
  }
  const run = inSession(async () => {
    await node.initializeTools(waiting)
    return callTool(await node.getAllTools(), 'greet_me')
  })
  await asked
  leaving.abort(new Error('the request ended'))
  await expect(run).rejects.toThrow('the request ended')
  await inSession(async () => {
    expect(await callTool(await node.getAllTools(undefined, answering('Ada')), 'greet_me')).toBe(
      'Hello, Ada!',
    )
  })
})

test('an aborted signal sets nothing up, and the next request of the invocation does [S2-29]', async () => {
  await inSession(async () => {
    const options = { signal: AbortSignal.abort(new Error('too late')) }
    await expect(node.getAllTools(undefined, options)).rejects.toThrow('too late')
    expect((await mcp.getMCPStatus()).cachedClients).toBe(0)
    expect(Object.keys(await node.getAllTools())).toContain('greet_me')
  })
})

test('outside of a context, options are used for one request only', async () => {
  const toolkits = { elicit: memoryToolkit('elicit') }
  const set = (name: string): Promise<ToolSet> =>
    node.getAllTools(undefined, { toolkits, ...answering(name) })
  expect(await callTool(await set('one'), 'greet_me')).toBe('Hello, one!')
  expect(await callTool(await set('two'), 'greet_me')).toBe('Hello, two!')
})
