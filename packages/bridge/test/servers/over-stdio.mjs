import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * Serves standard input and output if the module with that address is the program. Tests to which its process does not
 * matter import the module instead.
 */
export function overStdio(address, serve) {
  if (process.argv[1] !== fileURLToPath(address)) return
  const receive = serve((message) => process.stdout.write(`${JSON.stringify(message)}\n`))
  createInterface({ input: process.stdin }).on('line', (line) => receive(JSON.parse(line)))
}
