/**
 * A server that needs the port in PORT for itself, and exits without it. Its tool answers with VERSION and the port.
 */
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

const { PORT, VERSION } = process.env
const port = createServer()
port.once('error', ({ message }) => process.stderr.write(`${message}\n`, () => process.exit(1)))
port.listen(Number(PORT), '127.0.0.1', () => {
  createInterface({ input: process.stdin })
    .on('line', answer)
    .on('close', () => process.exit(0))
})

const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'port', version: VERSION },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'version', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: `${VERSION} on ${port.address().port}` }] }),
}

function answer(line) {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = results[method]?.()
  const outcome = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`)
}
