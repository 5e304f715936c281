#!/usr/bin/env node
/**
 * A hand-written stdio server that implements only the handshake. `--before` selects its reaction to a request before the
 * handshake: `exit`, `silent`, `late` (responds after the handshake), `odd` (a non-standard error) or `empty` (an empty
 * result).
 */

import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values: flags } = parseArgs({ options: { before: { type: 'string', default: 'odd' } } })

interface Request {
  readonly id?: number | string
  readonly method?: string
}

const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: `handshake-only (${process.pid})`, version: '1' },
  },
  'tools/list': { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'Hello, world!' }] },
}

let isInitialized = false
const kept: Request[] = []

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line) as Request
  if (request.id === undefined) return
  if (request.method === 'initialize') isInitialized = true
  if (isInitialized) answer(request)
  else comeEarly(request)
})

function answer({ id, method = '' }: Request): void {
  const result = results[method]
  write(result === undefined ? { id, error: { code: -32601, message: 'no such method' } } : { id, result })
  for (const early of kept.splice(0)) write({ id: early.id, result: { supportedVersions: ['2026-07-28'] } })
}

function comeEarly(request: Request): void {
  switch (flags.before) {
    case 'exit':
      process.stderr.write('expected initialize\n', () => process.exit(1))
      return
    case 'silent':
      return
    case 'late':
      kept.push(request)
      return
    case 'empty':
      return write({ id: request.id, result: {} })
    default:
      // A non-standard code and a message that is not a string.
      return write({ id: request.id, error: { code: 1, message: { text: 'not yet' } } })
  }
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
