/** The benchmark server over stdio. Responses to one read are sent in one write. */
import { createAnswers, offerFromArguments } from './answers.mjs'

const newline = 10
const answer = createAnswers(offerFromArguments())
let rest = ''

process.stdin.on('data', (chunk) => {
  const end = chunk.lastIndexOf(newline)
  if (end === -1) {
    rest += chunk.toString()
    return
  }
  const lines = `${rest}${chunk.toString('utf8', 0, end)}`.split('\n')
  rest = chunk.toString('utf8', end + 1)
  const answers = lines.map((line) => answer(JSON.parse(line))).filter((text) => text !== undefined)
  if (answers.length > 0) process.stdout.write(`${answers.join('\n')}\n`)
})
process.stdin.on('end', () => process.exit(0))
