import type { ActivityEntry, ToolSummary } from '@toolbridge/api'
import { activityEntry, serverStatus, toolSummary } from '../samples.ts'
import { hostileDescription } from '../scenes/hostile-text.ts'
import type { StubGateway } from '../stub-gateway.ts'

/** How much the gateway of the benchmark has. */
export const sizes = { servers: 40, tools: 5_000, calls: 10_000, descriptionLength: 1_048_576 }

/** The tool whose description is hostile. */
export const hostileTool = 'large__hostile'

const verbs = ['list', 'create', 'update', 'delete', 'search', 'export', 'archive', 'merge']
const nouns = ['issue', 'invoice', 'order', 'customer', 'report', 'branch', 'ticket', 'message', 'contract']

/** Fills a gateway with more than anybody has. Most tools belong to one server. */
export function fillLargeGateway(gateway: StubGateway): void {
  gateway.servers = ['large', ...names(sizes.servers - 1, 'server')].map((name) => serverStatus(name))
  gateway.tools = [hostile, ...Array.from({ length: sizes.tools - 1 }, (_, index) => toolAt(index))]
  gateway.activity = Array.from({ length: sizes.calls }, (_, index) => callAt(index))
}

const hostile: ToolSummary = {
  ...toolSummary('large', 'hostile', { text: { type: 'string' } }),
  description: hostileDescription(sizes.descriptionLength),
}

function toolAt(index: number): ToolSummary {
  const server = index % 5 === 0 ? `server_${(index / 5) % (sizes.servers - 1)}` : 'large'
  const [verb = '', noun = ''] = [verbs[index % verbs.length], nouns[index % nouns.length]]
  const tool = toolSummary(server, `${verb}_${noun}_${index}`, { id: { type: 'string' } })
  return { ...tool, description: `Can ${verb} every ${noun} of the account, up to ${index} at once.` }
}

function callAt(index: number): ActivityEntry {
  const { name, server } = toolAt((index * 7) % sizes.tools)
  return activityEntry(`call-${index}`, {
    at: new Date(Date.now() - index * 4_000).toISOString(),
    tool: name,
    server,
    latencyMs: (index * 37) % 900,
    outcome: index % 11 === 0 ? 'failed' : 'ok',
    ...(index % 11 === 0 ? { error: 'the connection was lost' } : {}),
  })
}

function names(count: number, prefix: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}_${index}`)
}
