import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryPair, McpClient, McpError } from '../../src/index.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../support/generated.ts'

const json = fc.jsonValue({ maxDepth: 3 })
const named = fc.record(
  { name: json, uri: json, inputSchema: json, type: json, text: json },
  { requiredKeys: [] },
)
const list = fc.oneof(json, fc.array(fc.oneof(json, named), { maxLength: 4 }))

/** Results with the members that some method's result has, each of them right or wrong. */
const nearlyValid = fc.record(
  {
    resultType: fc.constantFrom<unknown>('complete', 'task', 'unheard', 7),
    tools: list,
    resources: list,
    resourceTemplates: list,
    contents: list,
    prompts: list,
    messages: list,
    tasks: list,
    content: list,
    structuredContent: json,
    isError: json,
    completion: fc.oneof(json, fc.record({ values: list, total: json, hasMore: json }, { requiredKeys: [] })),
    nextCursor: json,
    ttlMs: json,
    cacheScope: json,
    taskId: json,
    status: fc.constantFrom<unknown>('working', 'failed', 'unheard', null),
    task: json,
    _meta: json,
  },
  { requiredKeys: [] },
)

const verbs: readonly ((client: McpClient) => Promise<unknown>)[] = [
  (client) => client.listTools(),
  (client) => client.callToolTask('any'),
  (client) => client.listResources(),
  (client) => client.listResourceTemplates(),
  (client) => client.readResource('test://any'),
  (client) => client.subscribeResource('test://any', { timeoutMs: 1 }),
  (client) => client.listPrompts(),
  (client) => client.getPrompt('any'),
  (client) =>
    client.complete({ ref: { type: 'ref/prompt', name: 'any' }, argument: { name: 'a', value: '' } }),
  (client) => client.setLogLevel('debug'),
  (client) => client.getTask('any'),
  (client) => client.cancelTask('any'),
  (client) => client.listTasks(),
  (client) => client.request('any/thing'),
]

const capabilities = {
  tools: {},
  resources: {},
  prompts: {},
  completions: {},
  logging: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
}
const serverInfo = { name: 'odd', version: '1' }
const openings = {
  legacy: { initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo } },
  '2026-07-28': {
    'server/discover': { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0 },
  },
} as const

test.each(['legacy', '2026-07-28'] as const)(
  'whatever a server of era %s answers, a verb resolves or rejects with an McpError, and the next one works [S4-12]',
  (era) =>
    fc.assert(
      fc.asyncProperty(fc.oneof(json, nearlyValid), async (result) => {
        const client = await connected(era, result)
        const outcomes = await Promise.allSettled(verbs.map((verb) => verb(client)))
        const rejections = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
        for (const reason of rejections) expect(reason).toBeInstanceOf(McpError)
        await client.request('fine')
        await client.close()
      }),
      inputs(25, 5_000),
    ),
  GENERATED_TIMEOUT_MS,
)

/** A client of a server that opens a connection as it should and answers everything else with the same result. */
async function connected(era: keyof typeof openings, result: unknown): Promise<McpClient> {
  const [transport, end] = createMemoryPair()
  const answers: Readonly<Record<string, unknown>> = { ...openings[era], fine: {} }
  end.onmessage = (message) => {
    if (!('method' in message && 'id' in message)) return
    const { id, method } = message
    void end.send({ jsonrpc: '2.0', id, result: method in answers ? answers[method] : result })
  }
  const client = new McpClient(transport, { era, extensions: capabilities.extensions })
  await client.connect()
  return client
}
