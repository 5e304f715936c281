/**
 * The baseline: `JSON.parse`, `JSON.stringify` and a map from id to promise over a child's pipes, or over `node:http`
 * with a keep-alive agent. No validation, no deadlines, no retries.
 */

/** @typedef {import('./clients.mjs').Connection} Connection */

const newline = 10
const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1.0.0' },
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<Connection>}
 */
export async function connectStdio(command, args) {
  const { spawn } = process.getBuiltinModule('node:child_process')
  // A separate session, as for servers of the bridge: on a busy machine, sessions are scheduled separately.
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const pending = /** @type {Map<number, (message: any) => void>} */ (new Map())
  let lastId = 0
  readLines(child.stdout, (line) => {
    const message = JSON.parse(line)
    pending.get(message.id)?.(message)
    pending.delete(message.id)
  })
  const send = (/** @type {object} */ message) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const request = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      pending.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error.message)),
      )
      send({ jsonrpc: '2.0', id, method, params })
    })
  await request('initialize', initialize)
  send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return connection(request, async () => {
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
  })
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} onLine
 */
function readLines(stream, onLine) {
  let parts = /** @type {Buffer[]} */ ([])
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      if (parts.length === 0) {
        onLine(chunk.toString('utf8', start, end))
      } else {
        parts.push(chunk.subarray(start, end))
        onLine(Buffer.concat(parts).toString('utf8'))
        parts = []
      }
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
}

/**
 * @param {string} url
 * @param {Readonly<Record<string, string>>} [given] Headers of every request. Default: none.
 * @param {import('node:http').Agent} [shared] Default: an agent of its own.
 * @returns {Promise<Connection & { readonly session: string | undefined }>}
 */
export async function connectHttp(url, given = {}, shared) {
  const { Agent } = process.getBuiltinModule('node:http')
  const agent = shared ?? new Agent({ keepAlive: true, maxSockets: 256 })
  const headers = /** @type {Record<string, string>} */ ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': initialize.protocolVersion,
    ...given,
  })
  const post = createPost(url, agent, headers)
  let lastId = 0
  const request = async (/** @type {string} */ method, /** @type {object} */ params) => {
    const { result, error } = await post({ jsonrpc: '2.0', id: ++lastId, method, params })
    if (error !== undefined) throw new Error(error.message)
    return result
  }
  await request('initialize', initialize)
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return { ...connection(request, async () => agent.destroy()), session: headers['mcp-session-id'] }
}

/**
 * Sends one message and resolves with its response, if any.
 *
 * @param {string} url
 * @param {import('node:http').Agent} agent
 * @param {Record<string, string>} headers
 * @returns {(message: object) => Promise<any>}
 */
function createPost(url, agent, headers) {
  const http = process.getBuiltinModule('node:http')
  const { hostname, port, pathname } = new URL(url)
  return (message) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(message)
      const withLength = { ...headers, 'content-length': Buffer.byteLength(body) }
      const request = http.request({
        agent,
        hostname,
        port,
        path: pathname,
        method: 'POST',
        headers: withLength,
      })
      request.on('error', reject)
      request.on('response', (response) => {
        const session = response.headers['mcp-session-id']
        if (typeof session === 'string') headers['mcp-session-id'] = session
        const chunks = /** @type {Buffer[]} */ ([])
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => resolve(messageIn(response.headers['content-type'], Buffer.concat(chunks))))
      })
      request.end(body)
    })
}

/**
 * @param {string | undefined} type
 * @param {Buffer} body
 */
function messageIn(type, body) {
  if (body.length === 0) return undefined
  const text = body.toString('utf8')
  if (type?.startsWith('text/event-stream') !== true) return JSON.parse(text)
  // Some servers send an event without a message first, for reconnection.
  const start = text.indexOf('data: {') + 'data: '.length
  return JSON.parse(text.slice(start, text.indexOf('\n', start)))
}

/**
 * @param {(method: string, params: object) => Promise<any>} request
 * @param {() => Promise<void>} close
 * @returns {Connection}
 */
function connection(request, close) {
  return {
    call: (name, given) => request('tools/call', { name, arguments: given }),
    listTools: async () => (await request('tools/list', {})).tools,
    close,
  }
}
