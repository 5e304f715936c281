import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { CuriousSession, type Message, type Send } from './curious-session.ts'

export interface CuriousFixture {
  readonly httpUrl: string
  readonly webSocketUrl: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Serves the curious server over HTTP and WebSockets, in this process. The caller closes it. */
export async function startCuriousServer(era: 'legacy' | 'modern'): Promise<CuriousFixture> {
  const sessions = new Map<string, HttpSession>()
  const http = createServer((request, response) => {
    serve(request, response, era, sessions).catch(() => response.destroy())
  })
  const webSockets = new WebSocketServer({ server: http, handleProtocols: () => 'mcp' })
  webSockets.on('connection', (socket) => {
    const send: Send = (message) => socket.send(JSON.stringify(message))
    const session = new CuriousSession(era, send)
    socket.on('message', (data: Buffer) => session.receive(JSON.parse(data.toString()), send))
  })
  // Closing connections of busy clients would lose messages in flight.
  http.keepAliveTimeout = 600_000
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const close = async (): Promise<void> => {
    for (const socket of webSockets.clients) socket.terminate()
    webSockets.close()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
  return {
    httpUrl: `http://127.0.0.1:${port}/mcp`,
    webSocketUrl: `ws://127.0.0.1:${port}/mcp`,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A session over HTTP. Messages outside calls wait until the client listens. */
class HttpSession {
  readonly session: CuriousSession
  readonly #unheard: object[] = []
  #stream: ServerResponse | undefined

  constructor(era: 'legacy' | 'modern') {
    this.session = new CuriousSession(era, (message) => this.#say(message))
  }

  listen(response: ServerResponse): void {
    startEvents(response)
    this.#stream = response
    for (const message of this.#unheard.splice(0)) this.#say(message)
    response.on('close', () => {
      if (this.#stream === response) this.#stream = undefined
    })
  }

  #say(message: object): void {
    if (this.#stream === undefined) this.#unheard.push(message)
    else this.#stream.write(event(message))
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  era: 'legacy' | 'modern',
  sessions: Map<string, HttpSession>,
): Promise<void> {
  const id = String(request.headers['mcp-session-id'] ?? '')
  const known = sessions.get(id)
  if (request.method === 'GET') return known === undefined ? refuse(response, 405) : known.listen(response)
  if (request.method === 'DELETE') {
    sessions.delete(id)
    return refuse(response, 204)
  }
  const message = await readBody(request)
  if (known !== undefined) return answer(known, message, response)
  if (id !== '') return refuse(response, 404)
  const created = new HttpSession(era)
  if (message.method === 'initialize') {
    const createdId = randomUUID()
    sessions.set(createdId, created)
    response.setHeader('mcp-session-id', createdId)
  }
  answer(created, message, response)
}

/** Uses a stream per request, which ends with the response. */
function answer({ session }: HttpSession, message: Message, response: ServerResponse): void {
  const isRequest = message.id !== undefined && message.method !== undefined
  if (isRequest) startEvents(response)
  else refuse(response, 202)
  session.receive(message, (sent) => {
    response.write(event(sent))
    if ('id' in sent && sent.id === message.id) response.end()
  })
}

function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
}

function event(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end()
}

async function readBody(request: IncomingMessage): Promise<Message> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}
