#!/usr/bin/env node
/** A hand-written stdio server that misbehaves according to its flags. */

import { closeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { runWrapped, startGrandchild } from './hostile-children.ts'
import { flags } from './hostile-flags.ts'
import { answer, floodStderr, makeNoise } from './hostile-output.ts'

interface Request {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: Readonly<Record<string, unknown>>
    readonly cursor?: string
  }
}

const hasGrandchild = flags.grandchild === true || flags.setsid === true

if (flags.wrapped) {
  runWrapped()
} else {
  const grandchild = hasGrandchild ? startGrandchild() : undefined
  if (flags['crash-before-initialize']) void crashEarly(grandchild)
  else setTimeout(() => serve(grandchild), Number(flags['slow-start'] ?? 0))
}

/** Leaves its grandchild running, if any. */
async function crashEarly(grandchild: Promise<string> | undefined): Promise<void> {
  await grandchild
  process.stderr.write('cannot read the settings\nset HOSTILE_TOKEN and start again\n', () => process.exit(3))
}

function serve(grandchild: Promise<string> | undefined): void {
  if (flags['ignore-stop']) {
    process.on('SIGTERM', () => process.stderr.write('not now\n'))
    liveOn()
  }
  if (flags['stderr-flood']) floodStderr()
  const tools = grandchild === undefined ? honestTools : { ...honestTools, grandchild: () => grandchild }
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    if (!flags.silent) void handle(JSON.parse(line) as Request, tools)
  })
  // Errors of the pipe during exit.
  process.stdout.on('error', () => undefined)
}

function liveOn(): void {
  setInterval(() => undefined, 60_000)
}

async function handle(request: Request, tools: Tools): Promise<void> {
  const { id, method } = request
  if (id === undefined) return
  if (method === 'tools/call') {
    if (flags['crash-mid-call']) return crash()
    if (flags['closes-stdout']) return closeOutput()
    makeNoise()
  }
  answer(id, method, await resultOf(request, tools))
  if (method === 'initialize' && flags['stops-reading']) stopReading()
}

async function resultOf({ method, params }: Request, tools: Tools): Promise<object> {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    }
  }
  if (method === 'tools/list') return pageOfTools(tools, params?.cursor)
  const tool = tools[params?.name ?? '']
  return tool ? { content: [{ type: 'text', text: await tool(params?.arguments ?? {}) }] } : {}
}

function pageOfTools(tools: Tools, cursor = '0'): object {
  const page = { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }
  return flags['endless-pages'] ? { ...page, nextCursor: String(Number(cursor) + 1) } : page
}

type Tool = (args: Readonly<Record<string, unknown>>) => string | Promise<string>
type Tools = Readonly<Record<string, Tool>>

const honestTools: Tools = {
  echo: ({ text }) => String(text),
  environment: () => JSON.stringify(process.env),
  blob: ({ bytes }) => 'x'.repeat(Number(bytes)),
  hang: () => new Promise<never>(() => undefined),
}

function stopReading(): void {
  process.stdin.pause()
  liveOn()
}

function closeOutput(): void {
  closeSync(1)
  liveOn()
}

function crash(): void {
  process.stderr.write('panic: out of luck\n', () => process.exit(7))
}
