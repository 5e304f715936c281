import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { type WebSocket, WebSocketServer } from 'ws'
import { createElicitServer } from './elicit-server.ts'

export interface WebSocketFixture {
  readonly url: string
  /** The connections of clients, in the order they came. */
  readonly connections: readonly { readonly socket: WebSocket; readonly headers: IncomingHttpHeaders }[]
  close(): Promise<void>
}

/** Serves the `elicit` server to clients that request the subprotocol `mcp`. The caller closes it. */
export async function startWebSocketServer(): Promise<WebSocketFixture> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    handleProtocols: (offered) => offered.has('mcp') && 'mcp',
  })
  const connections: { socket: WebSocket; headers: IncomingHttpHeaders }[] = []
  server.on('connection', (socket, request) => {
    connections.push({ socket, headers: request.headers })
    void createElicitServer().connect(transportOver(socket))
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/mcp`,
    connections,
    async close() {
      for (const { socket } of connections) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function transportOver(socket: WebSocket): Transport {
  const transport: Transport = {
    async start() {
      socket.addEventListener('message', ({ data }) => {
        const message = JSONRPCMessageSchema.safeParse(typeof data === 'string' ? JSON.parse(data) : data)
        if (message.success) transport.onmessage?.(message.data)
      })
      socket.addEventListener('close', () => transport.onclose?.())
    },
    async send(message) {
      socket.send(JSON.stringify(message))
    },
    async close() {
      socket.close()
    },
  }
  return transport
}
