// Needs a second after the end of its input, and writes to a file whether it got it.
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , file] = process.argv
const finish = (outcome) => {
  writeFileSync(file, outcome)
  process.exit(0)
}
process.on('SIGTERM', () => finish('terminated'))
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize')
    answer(id, {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'slow', version: '1' },
    })
  else if (id !== undefined) answer(id, method === 'tools/list' ? { tools: [] } : {})
})
lines.on('close', () => setTimeout(finish, 1_000, 'finished'))

function answer(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
