import { expect } from 'vitest'
import { bearerOf } from './gateway.ts'

export const modernRevision = '2026-07-28'

export interface ModernParams {
  readonly name?: string
  readonly arguments?: object
}

/** Sends a request as a host of the modern era, by default the local owner's, and returns the message that answers it. */
export async function sendModern(
  url: string,
  method: string,
  params: ModernParams = {},
  signal: AbortSignal | null = null,
  authorization: string = bearerOf('host'),
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modernRevision,
    'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const response = await fetch(url, {
    method: 'POST',
    signal,
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': modernRevision,
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  expect(response.headers.get('mcp-session-id')).toBeNull()
  return response.json()
}
