import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
}
const messages = [
  initialize,
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'hello', arguments: {} } },
]

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/**
 * Runs a fixture program until it has responded, and returns what V8 has compiled by then. Functions that did not run are
 * compiled when they do.
 *
 * @param {string} program
 * @param {readonly string[]} flags
 * @returns {Promise<Uint8Array>}
 */
export async function compiledCodeOf(program, flags) {
  const child = spawn(process.execPath, [program, ...flags], {
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  try {
    for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`)
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\/\/127\.0\.0\.1:[^"]+/.exec(line) ?? []
      if (url !== undefined)
        await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) })).text()
      if (url !== undefined || line.includes('"id":3')) break
    }
    child.send('compiled code')
    const [code] = await once(child, 'message')
    return code
  } finally {
    child.kill('SIGKILL')
  }
}
