/**
 * The streamable HTTP server of the official SDK with the tool `echo`, written as its documentation does, with a session for each
 * host. Prints its address as a line of JSON.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
} from '@modelcontextprotocol/node'
import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

const validateHost = localhostHostValidation()
const validateOrigin = localhostOriginValidation()
/** @type {Map<string, NodeStreamableHTTPServerTransport>} */
const sessions = new Map()

const server = createServer((request, response) => void serve(request, response))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new TypeError('no port')
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}/mcp`, headers: {} })}\n`)
process.stdin.on('end', () => process.exit(0)).resume()

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function serve(request, response) {
  if (!validateHost(request, response) || !validateOrigin(request, response)) return
  const id = request.headers['mcp-session-id']
  const transport = (typeof id === 'string' ? sessions.get(id) : undefined) ?? (await openSession())
  await transport.handleRequest(request, response)
}

async function openSession() {
  const mcp = new McpServer({ name: 'official', version: '1.0.0' })
  const definition = { description: 'Returns the text', inputSchema: z.object({ text: z.string() }) }
  mcp.registerTool('echo', definition, async ({ text }) => ({ content: [{ type: 'text', text }] }))
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  await mcp.connect(transport)
  return transport
}
