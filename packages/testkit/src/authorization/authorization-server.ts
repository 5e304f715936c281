#!/usr/bin/env node
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { letPagesIn } from '../servers/http-pages.ts'
import { respond } from '../servers/web-handler.ts'
import { interactionPages } from './interaction-pages.ts'
import { protectedResource } from './protected-resource.ts'
import { createProvider } from './provider.ts'
import { readSettings } from './settings.ts'
import { type TokenLog, watchTokens } from './token-log.ts'

/**
 * An authorization server and the MCP server that it protects, each on a free port of the loopback interface. Prints
 * both addresses as one line of JSON.
 */
async function main(): Promise<void> {
  const settings = readSettings()
  const [authorization, mcp] = [createServer(), createServer()]
  const [issuer, origin] = [await listen(authorization), await listen(mcp)]
  const resource = `${origin}/mcp`
  const provider = createProvider(issuer, resource, settings)
  const log = watchTokens(provider)
  const pages = interactionPages(provider)
  const oauth = provider.callback()
  authorization.on('request', (request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/test/')) control(path, log, response)
    else if (path.startsWith('/interaction/')) pages(request, response).catch(() => response.destroy())
    else oauth(request, response)
  })
  mcp.on('request', guarded(protectedResource(provider, { issuer, resource, settings }), origin))
  process.stdout.write(`${JSON.stringify({ issuer, resource })}\n`)
}

function control(path: string, log: TokenLog, response: ServerResponse): void {
  if (path === '/test/hold' || path === '/test/release') log.hold(path === '/test/hold')
  response.end(log.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
}

function guarded(answer: (request: Request) => Promise<Response>, origin: string): RequestListener {
  return (request, response) => {
    if (letPagesIn(request, response)) return
    respond(answer, request, response, origin).catch(() => response.destroy())
  }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

void main()
