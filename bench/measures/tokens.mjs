/**
 * The tokens of one task by direct calls, by search and by code: twenty files are read through the official filesystem server,
 * and the total of each is written to the official memory server. The turns of the model are scripted. Each request repeats
 * the tools and the messages so far, as with any stateless API, so these are counted once per request.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAuthority, openBridge } from '@toolbridge/bridge'
import { createCodeRunner } from '@toolbridge/bridge/code'
import { openaiChatTools } from '@toolbridge/bridge/openai'
import { expectEqual } from '../load.mjs'

/**
 * @typedef {import('../rounds.mjs').Measure} Measure
 * @typedef {import('../rounds.mjs').Job} Job
 * @typedef {{ name: string, args: object }} Call
 * @typedef {{ path: string, total: number }} File
 */

const fileCount = 20
const fileBytes = 2048

/** @type {Measure[]} */
export const measures = ['search', 'code'].map((way) => ({
  name: `tokens-${way}`,
  module: 'tokens',
  server: { kind: 'none' },
  // The tokens are the same in each.
  maxRounds: 1,
  isPinned: false,
  clients: ['direct', way],
  rows: [
    {
      key: 'tokens',
      title: `tokens to and from the model for ${fileCount} files, by ${way} (base: direct calls)`,
      unit: 'tokens',
    },
  ],
}))

/** @param {Job} job */
export async function sample({ client }) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-tokens-'))
  const runner = createCodeRunner()
  const files = await writeFiles(folder)
  const bridge = await openServers(folder)
  try {
    const options = client === 'code' ? { code: { runner } } : client === 'search' ? { search: {} } : {}
    const { encode } = await import('gpt-tokenizer/encoding/o200k_base')
    // The name of the folder is random.
    const tokensOf = (/** @type {object} */ value) =>
      encode(JSON.stringify(value).replaceAll(folder, '/home/ada/sales')).length
    const tokens = await converse(openaiChatTools(bridge, options), turnsOf(client, files), tokensOf)
    await expectTotals(bridge, files)
    return { tokens }
  } finally {
    await Promise.all([bridge.close(), runner.close()])
    await rm(folder, { recursive: true })
  }
}

/**
 * Each file has a number per line.
 *
 * @param {string} folder
 * @returns {Promise<File[]>}
 */
function writeFiles(folder) {
  const files = Array.from({ length: fileCount }, async (_, index) => {
    const path = join(folder, `sales-${String(index + 1).padStart(2, '0')}.txt`)
    const numbers = Array.from({ length: fileBytes / 8 }, (_line, line) => 1_000_000 + index * 1_000 + line)
    await writeFile(path, numbers.map((number) => `${number}\n`).join(''))
    return { path, total: numbers.reduce((sum, number) => sum + number, 0) }
  })
  return Promise.all(files)
}

/** @param {string} folder */
function openServers(folder) {
  const { resolve } = createRequire(import.meta.url)
  const program = (/** @type {string} */ name) => resolve(`@modelcontextprotocol/${name}/dist/index.js`)
  return openBridge({
    authority: localAuthority(),
    permissions: { mode: 'allow' },
    servers: {
      files: { command: process.execPath, args: [program('server-filesystem'), folder] },
      memory: {
        command: process.execPath,
        args: [program('server-memory')],
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      },
    },
  })
}

/**
 * What the model says in each turn: calls, or nothing but the answer.
 *
 * @param {string} client
 * @param {readonly File[]} files
 * @returns {readonly (readonly Call[])[]}
 */
function turnsOf(client, files) {
  const reads = files.map(({ path }) => ({ name: 'files__read_text_file', args: { path } }))
  const entities = files.map(({ path, total }) => ({
    name: path,
    entityType: 'file',
    observations: [`total ${total}`],
  }))
  const write = { name: 'memory__create_entities', args: { entities } }
  if (client === 'code') return [[{ name: 'run_code', args: { code: programFor(files) } }]]
  if (client === 'direct') return [reads, [write]]
  const found = (/** @type {string} */ query) => [{ name: 'tool_search', args: { query } }]
  const called = (/** @type {Call} */ { name, args }) => ({
    name: 'call_tool',
    args: { name, arguments: args },
  })
  return [found('read a text file'), reads.map(called), found('create entities in memory'), [called(write)]]
}

/** @param {readonly File[]} files */
function programFor(files) {
  return `const paths = ${JSON.stringify(files.map(({ path }) => path))}
const entities = await Promise.all(paths.map(async (path) => {
  const { content } = await tools.files__read_text_file({ path })
  const total = content.trim().split('\\n').reduce((sum, line) => sum + Number(line), 0)
  return { name: path, entityType: 'file', observations: ['total ' + total] }
}))
await tools.memory__create_entities({ entities })
return entities.length`
}

/**
 * The tokens of all requests and answers.
 *
 * @param {import('@toolbridge/bridge/openai').OpenAiChatTools} surface
 * @param {readonly (readonly Call[])[]} turns
 * @param {(value: object) => number} tokensOf
 */
async function converse({ tools, answer }, turns, tokensOf) {
  const messages = /** @type {object[]} */ ([
    { role: 'user', content: 'Add the numbers of each file in the folder, and note the totals in memory.' },
  ])
  let tokens = 0
  const say = (/** @type {object} */ message) => {
    tokens += tokensOf({ tools, messages }) + tokensOf(message)
    messages.push(message)
  }
  for (const calls of turns) {
    const message = { role: /** @type {const} */ ('assistant'), tool_calls: calls.map(toolCall) }
    say(message)
    messages.push(...(await answer(message)))
  }
  say({ role: 'assistant', content: 'The totals of the 20 files are in memory.' })
  return tokens
}

/**
 * @param {Call} call
 * @param {number} index
 */
function toolCall({ name, args }, index) {
  const id = `call_${index}`
  return { id, type: /** @type {const} */ ('function'), function: { name, arguments: JSON.stringify(args) } }
}

/**
 * @param {import('@toolbridge/bridge').Bridge} bridge
 * @param {readonly File[]} files
 */
async function expectTotals(bridge, files) {
  const { content } = await bridge.call('memory__read_graph')
  const text = JSON.stringify(content)
  const missing = files.filter(({ total }) => !text.includes(`total ${total}`))
  expectEqual(missing.length, 0, 'the totals that are missing')
}
