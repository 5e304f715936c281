import type { IncomingMessage, ServerResponse } from 'node:http'

/** Allows pages of any web origin. Returns true if it answered a CORS preflight. */
export function letPagesIn(request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', '*')
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.setHeader('access-control-expose-headers', '*')
  if (request.method !== 'OPTIONS') return false
  response.writeHead(204).end()
  return true
}
