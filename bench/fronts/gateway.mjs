/**
 * The gateway with one saved server, whose command line it gets. Prints its address, with the headers for MCP hosts and for the API,
 * as a line of JSON; ends with its input.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '@toolbridge/gateway'

const [command = '', ...args] = process.argv.slice(2)
const dataFolder = await mkdtemp(join(tmpdir(), 'toolbridge-bench-'))
const gateway = await startGateway({
  dataFolder,
  permissions: { mode: 'ask', allow: ['mcp://bench/*'] },
  // One person has all sessions of the measure.
  limits: { sessions: 10_000 },
})
const { url } = gateway
const code = new URL(gateway.signInUrl()).hash.slice('#code='.length)
const { token } = await post('/api/session', { code }, {})
const apiHeaders = { authorization: `Bearer ${token}` }
await post('/api/mcp/config', { mcpServers: { bench: { command, args } } }, apiHeaders)
const headers = { authorization: `Bearer ${gateway.mcpToken}` }
process.stdout.write(`${JSON.stringify({ url: `${url}/mcp`, headers, apiHeaders })}\n`)
process.stdin.on('end', () => void end()).resume()

/**
 * @param {string} path
 * @param {object} body
 * @param {Record<string, string>} headers
 */
async function post(path, body, headers) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

async function end() {
  await gateway.close()
  await rm(dataFolder, { recursive: true, force: true })
  process.exit(0)
}
