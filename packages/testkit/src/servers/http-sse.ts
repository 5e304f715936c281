#!/usr/bin/env node
/** The `elicit` server over HTTP+SSE (2024-11-05), with the official SDK. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { createElicitServer } from './elicit-server.ts'

const sessions = new Map<string, SSEServerTransport>()

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy())
})

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  if (pathname === '/sse' && request.method === 'GET') {
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    return createElicitServer().connect(transport)
  }
  const session = sessions.get(searchParams.get('sessionId') ?? '')
  if (pathname !== '/messages' || session === undefined) return void response.writeHead(404).end()
  return session.handlePostMessage(request, response)
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`listening http://127.0.0.1:${port}/sse\n`)
})
