import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

/** A minimal server with one tool. */
export function createHelloServer(): McpServer {
  const server = new McpServer({ name: 'hello', version: '1.0.0', title: 'Hello' })
  server.registerTool(
    'hello',
    {
      description: 'Greets somebody, or the world.',
      inputSchema: { name: z.string().optional().describe('Whom to greet') },
      annotations: { readOnlyHint: true },
    },
    ({ name = 'world' }) => ({ content: [{ type: 'text', text: `Hello, ${name}!` }] }),
  )
  server.registerTool(
    'repeat',
    {
      description: 'Says a text several times.',
      inputSchema: {
        text: z.string().describe('What to say'),
        count: z.number().int().min(1).max(5).default(2).describe('How often'),
      },
      annotations: { readOnlyHint: true },
    },
    ({ text, count }) => ({ content: [{ type: 'text', text: Array(count).fill(text).join(' ') }] }),
  )
  return server
}
