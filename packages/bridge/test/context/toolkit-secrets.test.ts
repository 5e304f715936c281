import type { ServerSpec } from '@toolbridge/bridge'
import { type ExecutionContextInput, withExecutionContext } from '@toolbridge/bridge/context'
import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkInMemory } from '../servers/in-memory.ts'
import {
  callTool,
  createTestWorkflows,
  memoryToolkit,
  session,
  type TestWorkflows,
} from '../servers/workflows.ts'

let mcp: TestWorkflows
/** The definitions that were started, with their variables replaced. */
let started: ServerSpec[]

beforeEach(() => {
  started = []
  mcp = createTestWorkflows({
    clientOptions: () => ({
      permissions: { mode: 'allow' },
      transportOf: (spec) => {
        started.push(spec)
        return linkInMemory(spec)
      },
    }),
  })
})
afterEach(() => mcp.close())

const a = memoryToolkit('hello', { TOKEN: 'Bearer ${secret:TAVILY}' })

async function hello(
  user: string,
  secrets: Exclude<ExecutionContextInput['secrets'], undefined>,
): Promise<string> {
  const context = { principal: session(user), secrets, mcp: { toolkits: { a } } }
  return withExecutionContext(context, async () => callTool(await mcp.setupMCPForNode(['a'], 'w'), 'hello'))
}

function tokens(): readonly unknown[] {
  return started.map((spec) => spec.transport === 'stdio' && spec.env['TOKEN'])
}

test('secrets of a context are the values that its toolkits name [S2-28] [S2-63]', async () => {
  await hello('ada', { TAVILY: canary('ada'), OTHER: canary('other') })
  expect(tokens()).toEqual([`Bearer ${canary('ada')}`])
})

test('a client is reused while the secrets it uses are the same, and by nobody else [C26] [S2-5]', async () => {
  await hello('ada', { TAVILY: canary('ada'), OTHER: 'one' })
  await hello('ada', { TAVILY: canary('ada'), OTHER: 'two' })
  expect(started).toHaveLength(1)
  await hello('ada', { TAVILY: canary('new') })
  await hello('bob', { TAVILY: canary('ada') })
  expect(tokens()).toEqual([canary('ada'), canary('new'), canary('ada')].map((token) => `Bearer ${token}`))
})

test('a secret that the context does not have is no variable of the process [S2-56]', async () => {
  process.env['TAVILY'] = canary('process')
  try {
    await hello('ada', {})
  } finally {
    delete process.env['TAVILY']
  }
  expect(tokens()).toEqual(['Bearer '])
})
