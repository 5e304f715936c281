import { setTimeout as delay } from 'node:timers/promises'
import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const NOTE = 'memo://note'

/** A server with the same tools in both eras. */
export function createModernServer(bus?: ServerEventBus): McpServer {
  const server = new McpServer(
    { name: 'modern', version: '2.0.0', title: 'Modern' },
    {
      instructions: 'Be kind.',
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
      cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'public' } },
    },
  )
  addHello(server)
  addGreetMe(server)
  addPatience(server)
  addWeather(server)
  addChanges(server, bus)
  return server
}

function addHello(server: McpServer): void {
  server.registerTool(
    'hello',
    { description: 'Greets somebody, or the world.', inputSchema: z.object({ name: z.string().optional() }) },
    ({ name = 'world' }) => said(`Hello, ${name}!`),
  )
  server.registerTool(
    'repeat',
    {
      description: 'Says a text several times.',
      inputSchema: z.object({ text: z.string(), count: z.number().int().min(1).max(5).default(2) }),
    },
    ({ text, count }) => said(Array(count).fill(text).join(' ')),
  )
  server.registerTool(
    'slow',
    { description: 'Takes its time.', inputSchema: z.object({ delayMs: z.number().int().max(10_000) }) },
    async ({ delayMs }, context) => {
      await delay(delayMs, undefined, { signal: context.mcpReq.signal })
      return said('at last')
    },
  )
}

/** Asks for a name, and for a mood in a second round. */
function addGreetMe(server: McpServer): void {
  const nameSchema = z.object({ name: z.string().min(1) })
  server.registerTool('greet_me', { description: 'Asks for your name and greets you.' }, (context) => {
    const { inputResponses } = context.mcpReq
    const answer = inputResponse(inputResponses, 'name')
    if (answer.kind === 'elicit' && answer.action !== 'accept') return said(answer.action)
    const given = acceptedContent(inputResponses, 'name', nameSchema)
    if (given !== undefined) return said(`Hello, ${given.name}!`)
    const question = inputRequired.elicit({ message: 'What is your name?', requestedSchema: nameSchema })
    return inputRequired({ inputRequests: { name: question } })
  })
}

/** Requires two more rounds, counted in the state. */
function addPatience(server: McpServer): void {
  server.registerTool('patience', { description: 'Is ready when asked for the third time.' }, (context) => {
    const state: unknown = context.mcpReq.requestState()
    const rounds = typeof state === 'string' ? Number(state.replace(/^round ✓ /, '')) : 0
    if (rounds === 2) return said('ready after 2 rounds')
    return inputRequired({ requestState: `round ✓ ${rounds + 1}` })
  })
}

function addWeather(server: McpServer): void {
  server.registerTool(
    'weather',
    {
      description: 'Tells the weather of a region.',
      inputSchema: z.object({
        region: z.string().meta({ 'x-mcp-header': 'Region' }),
        days: z.int().optional().meta({ 'x-mcp-header': 'Days' }),
      }),
    },
    ({ region }) => said(`Rain in ${region}`),
  )
}

/** A resource, and a tool that reports a change of it. */
function addChanges(server: McpServer, bus: ServerEventBus | undefined): void {
  server.registerResource('note', NOTE, { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: NOTE, mimeType: 'text/plain', text: 'milk' }],
  }))
  server.registerTool('touch', { description: 'Says that tools and the note changed.' }, async () => {
    if (bus === undefined) {
      server.sendToolListChanged()
      await server.server.sendResourceUpdated({ uri: NOTE })
    }
    bus?.publish({ kind: 'tools_list_changed' })
    bus?.publish({ kind: 'resource_updated', uri: NOTE })
    return said('touched')
  })
}

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}
