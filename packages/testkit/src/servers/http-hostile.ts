#!/usr/bin/env node
/**
 * A hand-written HTTP server that misbehaves as its URL says: `/<run>/<behaviour>/<value>/<method>`. Each run has its own
 * server, whose tool `echo` returns how often it ran; `count` returns it too and never misbehaves. `method` is the method
 * that misbehaves. Default: `tools/call`.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { events, misbehaviours } from './http-misbehaviours.ts'
import { oldTransport } from './http-old-transport.ts'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly name?: string }
}

const json = { 'content-type': 'application/json' } as const

const runs = new Map<string, Run>()

const server = createServer((request, response) => {
  const parts = (request.url ?? '').split(/[/?]/).map(decodeURIComponent)
  const [, key = '', behaviour = '', value = '', method = ''] = parts
  const run = runs.get(key) ?? createRun(behaviour, value, method)
  runs.set(key, run)
  run(request, response).catch(() => response.destroy())
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`listening http://127.0.0.1:${port}\n`)
})

type Run = (request: IncomingMessage, response: ServerResponse) => Promise<void>

function createRun(behaviour: string, value: string, method: string): Run {
  if (behaviour.startsWith('old-')) return oldTransport(behaviour)
  const hostile = new HostileServer(behaviour, value, method === '' ? 'tools/call' : method)
  return (request, response) => hostile.handle(request, response)
}

class HostileServer {
  readonly #behaviour: string
  readonly #value: string
  readonly #method: string
  /** Responses that a dropped stream has not delivered, by the id of its last event. */
  readonly #undelivered = new Map<string, object>()
  #ran = 0
  #treated = 0
  /** Number of the latest session, the only valid one. */
  #session = 0

  constructor(behaviour: string, value: string, method: string) {
    this.#behaviour = behaviour
    this.#value = value
    this.#method = method
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return this.#listen(request, response)
    if (request.method === 'DELETE') return void response.writeHead(200).end()
    const message = await read(request)
    if (message.method === 'initialize') return this.#greet(message, response)
    const isForgotten = request.headers['mcp-session-id'] !== `session-${this.#session}`
    if (isForgotten) return void response.writeHead(404).end()
    if (message.id === undefined) return void response.writeHead(202).end()
    this.#answer(message, message.id, request, response)
  }

  #greet({ id }: Message, response: ServerResponse): void {
    response.setHeader('mcp-session-id', `session-${++this.#session}`)
    const serverInfo = { name: 'http-hostile', version: '1' }
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }

  #answer(message: Message, id: number | string, request: IncomingMessage, response: ServerResponse): void {
    const isSpared = message.method !== this.#method || message.params?.name === 'count'
    const misbehave = isSpared ? undefined : misbehaviours[this.#behaviour]
    const run = (): object => ({ jsonrpc: '2.0', id, result: this.#resultOf(message) })
    if (!isSpared && this.#behaviour === 'resume') return this.#postpone(run(), response)
    const { headers, url: path = '' } = request
    const victim = { id, headers, path, response, count: this.#treated++, value: this.#value, run }
    if (misbehave !== undefined && misbehave(victim) !== true) return
    response.writeHead(200, json).end(JSON.stringify(run()))
    if (this.#behaviour === 'forget-session' && !isSpared) this.#session++
  }

  #resultOf({ method, params }: Message): object {
    const tools = ['echo', 'count'].map((name) => ({ name, inputSchema: { type: 'object' } }))
    if (method === 'tools/list') return { tools }
    if (method !== 'tools/call') return {}
    if (params?.name !== 'count') this.#ran++
    return { content: [{ type: 'text', text: String(this.#ran) }] }
  }

  /** Announces a later response and closes the stream. */
  #postpone(message: object, response: ServerResponse): void {
    const eventId = `event-${this.#undelivered.size + 1}`
    this.#undelivered.set(eventId, message)
    events(response).end(`id: ${eventId}\nretry: ${this.#value}\ndata:\n\n`)
  }

  #listen(request: IncomingMessage, response: ServerResponse): void {
    const message = this.#undelivered.get(String(request.headers['last-event-id']))
    if (message !== undefined) return void events(response).write(`data: ${JSON.stringify(message)}\n\n`)
    const isListening = this.#behaviour === 'listen'
    response.writeHead(isListening ? Number(this.#value) : 405).end()
  }
}

async function read(request: IncomingMessage): Promise<Message> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Message
}
