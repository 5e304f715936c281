import { createQuotas } from '@toolbridge/bridge/connections'
import { withExecutionContext } from '@toolbridge/bridge/context'
import type { ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { linkInMemory } from '../servers/in-memory.ts'
import {
  callTool,
  createTestWorkflows,
  memoryToolkit,
  session,
  type TestWorkflows,
} from '../servers/workflows.ts'

function limitedWorkflows(): TestWorkflows {
  const quotas = createQuotas({ maxConnections: 1, maxWaitMs: 60_000 })
  return createTestWorkflows({
    clientOptions: () => ({ permissions: { mode: 'allow' }, transportOf: linkInMemory, quotas }),
  })
}

function setUp(mcp: TestWorkflows, user: string, workflow: string): Promise<ToolSet> {
  const toolkits = { a: memoryToolkit('hello') }
  return withExecutionContext({ principal: session(user), mcp: { toolkits } }, () =>
    mcp.setupMCPForNode(['a'], workflow),
  )
}

test('an unused client is closed for another one of its user, and its tools open it again [S2-5] [C26]', async () => {
  await using mcp = limitedWorkflows()
  const one = await setUp(mcp, 'ada', 'one')
  const other = await setUp(mcp, 'bob', 'one')
  const two = await setUp(mcp, 'ada', 'two')
  for (const tools of [two, one, two, other]) expect(await callTool(tools, 'hello')).toBe('Hello, world!')
  expect((await mcp.getMCPStatus()).cachedClients).toBe(2)
})
