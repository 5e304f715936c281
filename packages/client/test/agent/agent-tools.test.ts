import { expect, test, vi } from 'vitest'
import { mcpToolToAgentTool, type Tool } from '../../src/index.ts'
import { isVisibleToModel } from '../../src/internal.ts'
import { connectedTo, paramsOf } from '../support/both-eras.ts'

const sum: Tool = {
  name: 'sum',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
  outputSchema: { type: 'object', required: ['total'] },
}

test('a tool is named for its namespace and calls the server by the server’s own name [S4-2] [S4-81] [S4-82] [S4-84] [S4-85] [S4-132]', async () => {
  const { client, server } = await connectedTo(
    '2025-11-25',
    { tools: {} },
    {
      'tools/call': () => ({ content: [{ type: 'text', text: '3' }] }),
    },
  )
  const tool = mcpToolToAgentTool(client, sum, { namespace: 'math' })
  expect(tool).toMatchObject({
    name: 'math__sum',
    description: 'sum',
    parameters: sum.inputSchema,
    definition: sum,
  })
  const trace = { traceparent: '00-1-2-01', callId: 'c' }
  expect(await tool.execute({ a: 1 }, { trace })).toBe('3')
  const called = await server.message('tools/call')
  expect(paramsOf(called)).toEqual({ name: 'sum', arguments: { a: 1 } })
  expect(called.params).toMatchObject({ _meta: { traceparent: '00-1-2-01' } })
})

test('a name has at most 64 characters and an identifier as its prefix [C13]', async () => {
  const { client } = await connectedTo('2025-11-25', {}, {})
  const nameOf = (name: string): string =>
    mcpToolToAgentTool(client, { ...sum, name }, { namespace: 'my-server' }).name
  expect(nameOf('sum')).toBe('my_server__sum')
  expect(nameOf('x'.repeat(80))).toMatch(/^my_server__x{44}_[0-9a-f]{8}$/)
})

test('the description is the best there is [S4-82]', async () => {
  const { client } = await connectedTo('2025-11-25', {}, {})
  const described = (tool: Partial<Tool>): string =>
    mcpToolToAgentTool(client, { ...sum, ...tool }).description
  expect(described({ title: 'Sum', description: 'Adds up.' })).toBe('Adds up.')
  expect(described({ title: 'Sum' })).toBe('Sum')
})

test('a tool without a schema takes any arguments [S4-83]', async () => {
  const { client } = await connectedTo('2025-11-25', {}, {})
  const { inputSchema: _, ...bare } = sum
  expect(mcpToolToAgentTool(client, bare as Tool).parameters).toEqual({ type: 'object', properties: {} })
})

test('aborting reaches the call', async () => {
  const abort = new AbortController()
  const { client } = await connectedTo(
    '2025-11-25',
    { tools: {} },
    {
      'tools/call': () => {
        abort.abort('enough')
        return { content: [] }
      },
    },
  )
  const running = mcpToolToAgentTool(client, sum).execute({}, { signal: abort.signal })
  await expect(running).rejects.toBe('enough')
})

test('structured results are checked at the call and not before; a mismatch is an error for the model [S4-86] [S4-132] [F3]', async () => {
  const results: object[] = [
    { structuredContent: { total: 3 }, content: [] },
    { structuredContent: { sum: 3 }, content: [] },
    { content: [] },
    { content: [], isError: true },
  ]
  const { client } = await connectedTo(
    '2026-07-28',
    { tools: {} },
    {
      'tools/list': () => ({ tools: [sum] }),
      'tools/call': () => results.shift(),
    },
  )
  const validateOutput = vi.fn((_schema: object, value: unknown) =>
    value !== null && typeof value === 'object' && 'total' in value ? [] : ['total is missing'],
  )
  const [listed = sum] = await client.listTools()
  const tool = mcpToolToAgentTool(client, listed, { validateOutput })
  expect(validateOutput).not.toHaveBeenCalled()
  expect(await tool.execute()).toBe('{"total":3}')
  expect(validateOutput).toHaveBeenCalledWith(sum.outputSchema, { total: 3 })
  expect(await tool.execute()).toBe('Tool error: the result of sum is not what it promised: total is missing')
  expect(await tool.execute()).toBe('Tool error: sum promised structured content and returned none')
  expect(await tool.execute()).toBe('Tool error: the tool failed')
})

test('validateOutput: true checks structured content against the output schema [S4-86] [S4-132]', async () => {
  const results: object[] = [
    { structuredContent: { total: 3 }, content: [{ type: 'text', text: 'three' }] },
    { structuredContent: { sum: 3 }, content: [{ type: 'text', text: 'three' }] },
    { structuredContent: { sum: 3 }, content: [{ type: 'text', text: 'three' }] },
  ]
  const { client } = await connectedTo('2025-11-25', { tools: {} }, { 'tools/call': () => results.shift() })
  const tool = mcpToolToAgentTool(client, sum, { validateOutput: true })
  expect(await tool.execute()).toBe('three')
  expect(await tool.execute()).toBe(
    "Tool error: the result of sum is not what it promised: it must have required property 'total'",
  )
  expect(await mcpToolToAgentTool(client, sum, { validateOutput: false }).execute()).toBe('three')
})

test('a schema that cannot be used is the tool’s fault and not the loop’s [F3]', async () => {
  const { client } = await connectedTo(
    '2026-07-28',
    { tools: {} },
    {
      'tools/call': () => ({ structuredContent: 0, content: [] }),
    },
  )
  const validateOutput = (): never => {
    throw new Error('unknown dialect')
  }
  const tool = mcpToolToAgentTool(client, sum, { validateOutput })
  expect(await tool.execute()).toMatch(/^Tool error: .* cannot be checked/)
})

test('a tool that must be called as a task is', async () => {
  const task = { taskId: 't', status: 'completed', ttl: null, createdAt: '', lastUpdatedAt: '' }
  const { client } = await connectedTo(
    '2025-11-25',
    { tools: {}, tasks: { requests: { tools: { call: {} } } } },
    {
      'tools/call': () => ({ task }),
      'tasks/get': () => task,
      'tasks/result': () => ({ content: [{ type: 'text', text: 'dug' }] }),
    },
  )
  const dig: Tool = { name: 'dig', inputSchema: {}, execution: { taskSupport: 'required' } }
  expect(await mcpToolToAgentTool(client, dig).execute()).toBe('dug')
})

test('tools that only a page of their server may call are not for the model', () => {
  const seenBy = (visibility: unknown): boolean => isVisibleToModel({ ...sum, _meta: { ui: { visibility } } })
  expect(isVisibleToModel(sum)).toBe(true)
  expect(seenBy(undefined)).toBe(true)
  expect(seenBy(['model', 'app'])).toBe(true)
  expect(seenBy(['app'])).toBe(false)
})

test('what a server says of a tool’s page is kept as it is [F19]', async () => {
  const _meta = { ui: { resourceUri: 'ui://page', visibility: ['app'] }, 'ui/resourceUri': 'ui://page' }
  const { client } = await connectedTo(
    '2026-07-28',
    { tools: {} },
    {
      'tools/list': () => ({ tools: [{ ...sum, _meta }] }),
    },
  )
  expect(await client.listTools()).toEqual([{ ...sum, _meta }])
})
