/** The workshop as a program. Arguments name the tools that it has. Default: all. */
import { createInterface } from 'node:readline'
import { answer } from './workshop-server.mjs'

const session = {
  send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
  only: process.argv.slice(2),
  key: process.env.KEY,
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line), session))
