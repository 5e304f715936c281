import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { OrderedHttpTransport } from '../../../src/internal.ts'

test('a ping is sent after the server acknowledged earlier notifications, and a call does not wait', async () => {
  const taken: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id, method } = JSON.parse(await text(request))
    if (id === undefined) await after(100)
    taken.push(method)
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' })
    response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const transport = new OrderedHttpTransport({ url: `http://127.0.0.1:${port}/mcp` })
  await transport.start()
  const told = [transport.notify('notifications/one'), transport.notify('notifications/two')]
  await Promise.all([transport.request('ping'), transport.request('tools/call'), ...told])
  expect(taken[0]).toBe('tools/call')
  expect(taken.at(-1)).toBe('ping')
  await transport.close()
  server.closeAllConnections()
  server.close()
})
