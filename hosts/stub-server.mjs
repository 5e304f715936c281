/**
 * An MCP stdio server that records how it was started and what it was asked, in files beside itself. Its first argument is
 * its label.
 */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { answer } from './stub-answers.mjs'

const [, , label, ...args] = process.argv
record('starts.jsonl', { label, args, cwd: process.cwd(), env: process.env })

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  record('received.jsonl', { label, method: message.method })
  const response = answer(message, label)
  if (response !== undefined) process.stdout.write(`${JSON.stringify(response)}\n`)
})

function record(file, entry) {
  appendFileSync(new URL(file, import.meta.url), `${JSON.stringify(entry)}\n`)
}
