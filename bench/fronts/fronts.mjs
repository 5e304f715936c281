/**
 * What is between an MCP host and a stdio server: the gateway, or a peer. Each is a process that serves `/mcp`, and starts the
 * upstream. `official` has no upstream: it is the server of the official SDK, which answers itself.
 *
 * @typedef {import('./probe.mjs').Usage} Usage
 *
 * @typedef {object} Front
 * @property {string} url Of the MCP endpoint.
 * @property {Readonly<Record<string, string>>} headers Of every request of an MCP host.
 * @property {Readonly<Record<string, string>>} [apiHeaders] Of every request to the API of the gateway.
 * @property {() => Promise<Usage>} usage
 * @property {(signal?: NodeJS.Signals) => Promise<void>} close Default: asks it to stop.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const probe = new URL('probe.mjs', import.meta.url).href

/**
 * Starts a front of a program over stdio, with the options that Node has in this process.
 *
 * @param {string} name
 * @param {import('../rounds.mjs').ServerAddress} upstream
 * @param {{ log?: 'inherit' | 'ignore' }} [options] `log`: what it writes on stderr. Default: `inherit`.
 * @returns {Promise<Front>}
 */
export async function openFront(name, upstream, { log = 'inherit' } = {}) {
  if (!('command' in upstream)) throw new TypeError('the upstream must be a program')
  const program = [upstream.command, ...upstream.args]
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-bench-'))
  const args = argumentsOf(name, program, port, folder)
  const child = spawn(process.execPath, [...process.execArgv, '--import', probe, ...args], {
    stdio: ['pipe', 'pipe', log, 'ipc'],
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new TypeError('the front has no pipes')
  const exited = once(child, 'exit')
  const address = await addressOf(name, { stdout, port, folder, upstream })
  return {
    ...address,
    async usage() {
      child.send('usage')
      const [usage] = await once(child, 'message')
      return usage
    },
    async close(signal) {
      if (name === 'official') stdin.end()
      else child.kill(signal)
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} program
 * @param {number} port
 * @param {string} folder For data.
 */
function argumentsOf(name, program, port, folder) {
  switch (name) {
    case 'gateway': {
      // One person has all sessions of the measure.
      const options = ['--allow', 'mcp://bench/*', '--max-sessions', '10000']
      const command = local('../../packages/cli/dist/main.cjs')
      return [command, 'serve', '--port', String(port), '--data', folder, ...options]
    }
    case 'official':
      return [local('../peers/fronts/official.mjs')]
    case 'mcp-proxy': {
      const options = ['--server', 'stream', '--host', '127.0.0.1', '--port', String(port), '--']
      return [binary('mcp-proxy/dist/bin/mcp-proxy.mjs'), ...options, ...program]
    }
    case 'supergateway': {
      const options = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none']
      return [
        binary('supergateway/dist/index.js'),
        '--stdio',
        program.join(' '),
        ...options,
        '--port',
        String(port),
      ]
    }
    default:
      throw new RangeError(`unknown front: ${name}`)
  }
}

/** @param {string} path */
function local(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** @param {string} path */
function binary(path) {
  return local(`../peers/node_modules/${path}`)
}

/**
 * @param {string} name
 * @param {{ stdout: import('node:stream').Readable, port: number, folder: string, upstream: { command: string, args: readonly string[] } }} started
 * @returns {Promise<Pick<Front, 'url' | 'headers' | 'apiHeaders'>>}
 */
async function addressOf(name, { stdout, port, folder, upstream }) {
  if (name === 'official') return printedAddress(stdout)
  if (name !== 'gateway') return listening(port)
  const [line] = await once(createInterface({ input: stdout }), 'line')
  return signIn(new URL(line.slice(line.indexOf('http'))), folder, upstream)
}

/**
 * Signs in to a gateway that has started, and saves the upstream as the server `bench`.
 *
 * @param {URL} printed With the code of the sign-in.
 * @param {string} folder
 * @param {{ command: string, args: readonly string[] }} upstream
 */
async function signIn({ origin, hash }, folder, { command, args }) {
  const { token } = await post(`${origin}/api/session`, { code: hash.slice('#code='.length) }, {})
  const apiHeaders = { authorization: `Bearer ${token}` }
  await post(`${origin}/api/mcp/config`, { mcpServers: { bench: { command, args } } }, apiHeaders)
  const mcpToken = (await readFile(join(folder, 'mcp-token'), 'utf8')).trim()
  return { url: `${origin}/mcp`, headers: { authorization: `Bearer ${mcpToken}` }, apiHeaders }
}

/**
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} headers
 */
async function post(url, body, headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`)
  return response.json()
}

/**
 * The address that a front prints as a line of JSON.
 *
 * @param {import('node:stream').Readable} output
 * @returns {Promise<Pick<Front, 'url' | 'headers' | 'apiHeaders'>>}
 */
async function printedAddress(output) {
  const [line] = await once(createInterface({ input: output }), 'line')
  return JSON.parse(line)
}

/**
 * Waits until a peer listens on its port.
 *
 * @param {number} port
 * @returns {Promise<Pick<Front, 'url' | 'headers'>>}
 */
async function listening(port) {
  const url = `http://127.0.0.1:${port}/mcp`
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response !== undefined) return { url, headers: {} }
    await after(100)
  }
  throw new Error('the peer did not listen within 30 s')
}

/** The peers cannot be told to choose one. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new TypeError('no free port')
  return address.port
}
