import type { IncomingMessage, ServerResponse } from 'node:http'

/** Lets pages of any origin in. True if that was all that a browser wanted to know, and it has been told. */
export function letPagesIn(request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', '*')
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.setHeader('access-control-expose-headers', '*')
  if (request.method !== 'OPTIONS') return false
  response.writeHead(204).end()
  return true
}
