/** An MCP stdio server that records how it was started, in a file beside itself. Its first argument is its label. */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { answer } from './stub-answers.mjs'

const [, , label, ...args] = process.argv
const start = { label, args, cwd: process.cwd(), env: process.env }
appendFileSync(new URL('starts.jsonl', import.meta.url), `${JSON.stringify(start)}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const response = answer(JSON.parse(line), label)
  if (response !== undefined) process.stdout.write(`${JSON.stringify(response)}\n`)
})
