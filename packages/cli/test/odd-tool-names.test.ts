import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BridgeOptions } from '@toolbridge/bridge'
import { createMemoryPair, type JsonRpcMessage } from '@toolbridge/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInProcess } from './in-process.ts'
import { temporaryFolder } from './transcript.ts'

const odd = [
  'plain',
  'say hi',
  'two  spaces',
  ' padded ',
  'files/read',
  'größe 数',
  'e\u0301',
  '\u00e9',
  '-dash',
  '--help',
  '--',
  'a=b',
  '{"a": 1}',
  'mcp://other/tool',
  'line\nbreak',
  '\u001b[31mred',
  '\u202Ereversed',
]
let folder: ReturnType<typeof temporaryFolder>
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

const url = 'http://odd.test/mcp'

/** Runs the server in this process: over HTTP, most of the time would go into requests. */
const transportOf: NonNullable<BridgeOptions['transportOf']> = () => {
  const [link, end] = createMemoryPair()
  end.onmessage = (message) => {
    const answer = answerTo(message as Request)
    if (answer !== undefined) void end.send(answer)
  }
  return link
}

interface Request {
  readonly id?: number
  readonly method: string
  readonly params: { readonly name: string }
}

/** A server whose tools answer with their own name, as JSON. */
function answerTo({ id, method, params }: Request): JsonRpcMessage | undefined {
  if (id === undefined) return undefined
  const serverInfo = { name: 'odd', version: '1' }
  const results: Readonly<Record<string, () => object>> = {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
    ping: () => ({}),
    'tools/list': () => ({ tools: odd.map((name) => ({ name, inputSchema: { type: 'object' } })) }),
    'tools/call': () => ({ content: [{ type: 'text', text: asciiJson(params.name) }] }),
  }
  const result = results[method]?.()
  const error = { code: -32601, message: 'Method not found' }
  return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }
}

/** Without characters that the command removes from results. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

test.each([
  ['Toolbridge', 'mcp.json', 'mcpServers', ['one'], {}],
  // Raw names of two servers with the same tools collide.
  [
    'raw names',
    'raw.json',
    'mcpServers',
    ['one', 'two'],
    { policy: { 'naming.separator': 'none', 'naming.sanitize': 'none' } },
  ],
  ['YAAF', '.yaaf/mcp.json', 'servers', ['one'], { type: 'http' }],
])(
  'every tool can be called by what `tools` prints, with the names of %s',
  async (_title, path, key, servers, entry) => {
    const file = join(folder.path, path)
    mkdirSync(join(file, '..'), { recursive: true })
    const entries = Object.fromEntries(servers.map((name) => [name, { url, ...entry }]))
    writeFileSync(file, JSON.stringify({ [key]: entries }))
    const listed = await runInProcess(['tools', '--mcp', file], { transportOf })
    const lines = listed.stdout.split('\n').flatMap((line) => /^ {2}(\S.*)\(\)$/.exec(line)?.[1] ?? [])
    expect(new Set(lines).size).toBe(servers.length * odd.length)
    const called: string[] = []
    for (const line of lines) {
      const { stdout, stderr } = await runInProcess(['call', '--mcp', file, '--', line], { transportOf })
      called.push(stdout === '' ? `${line}: ${stderr}` : String(JSON.parse(stdout)))
    }
    expect(called.toSorted()).toEqual(servers.flatMap(() => odd).toSorted())
  },
)

test('names that would control the terminal are not printed', async () => {
  const file = join(folder.path, 'raw-names.json')
  const policy = { 'naming.separator': 'none', 'naming.sanitize': 'none' }
  writeFileSync(file, JSON.stringify({ mcpServers: { one: { url, policy } } }))
  const { stdout } = await runInProcess(['tools', '--mcp', file], { transportOf })
  expect(stdout).toContain('mcp://one/%1B%5B31mred()\n')
  expect(stdout).not.toContain('\u001b')
})
