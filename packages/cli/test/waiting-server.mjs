/**
 * The workshop, except that a call is never answered. Writes its process id to `pid`, and a file `called` on a call and `cancelled`
 * when one is cancelled.
 */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { answer } from './workshop-server.mjs'

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

writeFileSync('pid', String(process.pid))
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.method === 'tools/call') writeFileSync('called', '')
  else if (message.method === 'notifications/cancelled') writeFileSync('cancelled', '')
  else answer(message, { send, only: [], key: undefined })
})
