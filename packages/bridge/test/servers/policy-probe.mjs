// Warns on stderr, writes a line that is not JSON, and records in a file how it was stopped.
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , file] = process.argv
const finish = (outcome) => {
  writeFileSync(file, outcome)
  process.exit(0)
}
process.on('SIGTERM', () => finish('terminated'))
process.stderr.write('a warning\n')
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') {
    const info = { capabilities: {}, serverInfo: { name: 'probe', version: '1' } }
    process.stdout.write('not json\n')
    answer(id, { protocolVersion: '2025-11-25', ...info })
  } else if (id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: none })}\n`)
})
lines.on('close', () => finish('closed'))
const none = { code: -32601, message: 'Method not found' }

function answer(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
