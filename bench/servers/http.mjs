/**
 * The benchmark server over HTTP/1.1, written on `node:net` so that it costs less than any client. Options: `--sse`
 * answers as event streams; `--ports N` listens on that many ports. Prints its URLs as one line of JSON.
 */
import { createServer } from 'node:net'
import { createAnswers, offerFromArguments } from './answers.mjs'

const headEnd = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)
const asEventStream = process.argv.includes('--sse')
const answer = createAnswers(offerFromArguments())

const portsAt = process.argv.indexOf('--ports')
const ports = await Promise.all(
  Array.from({ length: portsAt === -1 ? 1 : Number(process.argv[portsAt + 1]) }, listen),
)
process.stdout.write(`${JSON.stringify(ports.map((port) => `http://127.0.0.1:${port}/mcp`))}\n`)
// Exits with the parent, which has the other end of the pipe.
process.stdin.on('end', () => process.exit(0)).resume()

/** @returns {Promise<number>} */
function listen() {
  return new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }, serve)
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address !== null && typeof address === 'object') resolve(address.port)
    })
  })
}

/** @param {import('node:net').Socket} socket */
function serve(socket) {
  let rest = nothing
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const { answers, end } = answerAll(bytes)
    rest = bytes.subarray(end)
    if (answers !== '') socket.write(answers)
  })
}

/**
 * Responds to the complete requests at the start of the bytes and returns their end.
 *
 * @param {Buffer} bytes
 */
function answerAll(bytes) {
  let answers = ''
  let at = 0
  for (;;) {
    const bodyStart = bytes.indexOf(headEnd, at) + headEnd.length
    if (bodyStart < at + headEnd.length) return { answers, end: at }
    const head = bytes.toString('latin1', at, bodyStart)
    const end = bodyStart + bodyLength(head)
    if (end > bytes.length) return { answers, end: at }
    answers += respond(head, bytes.toString('utf8', bodyStart, end))
    at = end
  }
}

/** @param {string} head */
function bodyLength(head) {
  if (/\r\ntransfer-encoding:/i.test(head))
    throw new Error('chunked requests are not supported by the benchmark server')
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  return length === null ? 0 : Number(length[1])
}

/**
 * @param {string} head
 * @param {string} body
 */
function respond(head, body) {
  if (head.startsWith('DELETE')) return empty('200 OK')
  if (!head.startsWith('POST')) return empty('405 Method Not Allowed')
  const message = JSON.parse(body)
  const text = answer(message)
  if (text === undefined) return empty('202 Accepted')
  const session = message.method === 'initialize' ? 'mcp-session-id: benchmark-session\r\n' : ''
  return asEventStream ? eventStream(text, session) : json(text, session)
}

/** @param {string} status */
function empty(status) {
  return `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`
}

/**
 * @param {string} text
 * @param {string} session
 */
function json(text, session) {
  const length = Buffer.byteLength(text)
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${session}content-length: ${length}\r\n\r\n${text}`
}

/**
 * @param {string} text
 * @param {string} session
 */
function eventStream(text, session) {
  const event = `event: message\ndata: ${text}\n\n`
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${session}transfer-encoding: chunked\r\n\r\n`
  return `${head}${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n0\r\n\r\n`
}
