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
 * @property {() => Promise<void>} close
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const probe = new URL('probe.mjs', import.meta.url).href

/**
 * Starts a front of a program over stdio, with the options that Node has in this process.
 *
 * @param {string} name
 * @param {import('../rounds.mjs').ServerAddress} upstream
 * @returns {Promise<Front>}
 */
export async function openFront(name, upstream) {
  if (!('command' in upstream)) throw new TypeError('the upstream must be a program')
  const program = [upstream.command, ...upstream.args]
  const port = await freePort()
  const args = argumentsOf(name, program, port)
  const child = spawn(process.execPath, [...process.execArgv, '--import', probe, ...args], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new TypeError('the front has no pipes')
  const exited = once(child, 'exit')
  const isOwn = name === 'gateway' || name === 'official'
  const address = isOwn ? await printedAddress(stdout) : await listening(port)
  return {
    ...address,
    async usage() {
      child.send('usage')
      const [usage] = await once(child, 'message')
      return usage
    },
    async close() {
      if (isOwn) stdin.end()
      else child.kill()
      await exited
    },
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} program
 * @param {number} port
 */
function argumentsOf(name, program, port) {
  switch (name) {
    case 'gateway':
      return [local('gateway.mjs'), ...program]
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
