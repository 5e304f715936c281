#!/usr/bin/env node
/** A server over stdio, written by hand, that misbehaves as its flags say. */

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values: flags } = parseArgs({
  options: {
    'crash-before-initialize': { type: 'boolean' },
    silent: { type: 'boolean' },
    garbage: { type: 'boolean' },
    'crash-mid-call': { type: 'boolean' },
    'ignore-stop': { type: 'boolean' },
    grandchild: { type: 'boolean' },
    'slow-start': { type: 'string' },
    'answers-twice': { type: 'boolean' },
    'string-ids': { type: 'boolean' },
    flood: { type: 'boolean' },
  },
})

interface Request {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> }
}

if (flags['crash-before-initialize']) {
  process.stderr.write('cannot read the settings\nset HOSTILE_TOKEN and start again\n', () => process.exit(3))
} else if (flags['slow-start'] !== undefined) {
  setTimeout(serve, Number(flags['slow-start']))
} else {
  serve()
}

function serve(): void {
  if (flags['ignore-stop']) {
    process.on('SIGTERM', () => process.stderr.write('not now\n'))
    setInterval(() => undefined, 60_000)
  }
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    if (!flags.silent) void handle(JSON.parse(line) as Request)
  })
}

async function handle(request: Request): Promise<void> {
  if (request.id === undefined) return
  if (request.method === 'tools/call' && flags.flood) flood()
  if (request.method === 'tools/call' && flags['crash-mid-call']) return crash()
  answer(request.id, await resultOf(request))
}

async function resultOf({ method, params }: Request): Promise<object> {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    }
  }
  if (method === 'tools/list') {
    return { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }
  }
  const tool = tools[params?.name ?? '']
  return tool ? { content: [{ type: 'text', text: await tool(params?.arguments ?? {}) }] } : {}
}

type Tool = (args: Readonly<Record<string, unknown>>) => string | Promise<string>

const tools: Readonly<Record<string, Tool>> = {
  echo: ({ text }) => String(text),
  environment: () => JSON.stringify(process.env),
  blob: ({ bytes }) => 'x'.repeat(Number(bytes)),
  hang: () => new Promise<never>(() => undefined),
  ...(flags.grandchild ? { grandchild: startGrandchild } : {}),
}

/** A process behind a shell, as package runners leave them: it outlives this server unless its whole group is ended. */
function startGrandchild(): Promise<string> {
  const shell = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve) => {
    shell.stdout.once('data', (pid: Buffer) => resolve(pid.toString().trim()))
  })
}

function answer(id: number, result: object): void {
  const message = { jsonrpc: '2.0', id: flags['string-ids'] ? String(id) : id, result }
  write(message)
  if (flags['answers-twice']) write(message)
}

function write(message: object): void {
  const text = JSON.stringify(message)
  if (!flags.garbage) return void process.stdout.write(`${text}\n`)
  process.stdout.write('Server ready: listening…\n\n{"jsonrpc":"2.0","id":\n[1,2\n"a string"\n{}\n')
  // In two parts, cut in the middle of the line, and ended the way Windows does.
  const bytes = Buffer.from(`${text}\r\nDEBUG done\n`)
  const middle = Math.floor(text.length / 2)
  process.stdout.write(bytes.subarray(0, middle))
  setImmediate(() => process.stdout.write(bytes.subarray(middle)))
}

function flood(): void {
  for (let count = 0; count < 10_000; count++) {
    write({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'debug', data: `noise ${count}` },
    })
  }
}

function crash(): void {
  process.stderr.write('panic: out of luck\n', () => process.exit(7))
}
