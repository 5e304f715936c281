import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A server whose answers tests replace. */
export interface Listening {
  readonly server: Server
  readonly url: string
  /** Replaces what answers requests. */
  readonly use: (handler: Handler) => void
}

let listening: Promise<Listening> | undefined

/** One port for all tests of this process, because browsers cache scripts by their URL. */
export function listenOnce(): Promise<Listening> {
  listening ??= listen()
  return listening
}

async function listen(): Promise<Listening> {
  let current: Handler = async () => undefined
  const server = createServer((request, response) => void current(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (handler) => {
      current = handler
    },
  }
}
