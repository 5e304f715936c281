/**
 * A collector of OTLP over HTTP in protobuf. Says its port on stdout, and what it has received so far to a client that gets
 * `/received`. Ends with its standard input.
 */
import { createServer } from 'node:http'
import { read, requests } from './otlp-messages.mjs'

const received = { spans: [], metrics: [] }

const server = createServer((request, response) => void answer(request, response))

async function answer(request, response) {
  if (request.url === '/received') return void response.end(JSON.stringify(received))
  const fields = requests[request.url]
  if (fields === undefined || request.headers['content-type'] !== 'application/x-protobuf')
    return void response.writeHead(415).end()
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  keep(read(new Uint8Array(Buffer.concat(chunks)), fields))
  // An empty message: all of it was taken.
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
}

function keep({ resources = [] }) {
  for (const { scopes = [], resource } of resources) {
    for (const { scope, spans = [], metrics = [] } of scopes) {
      received.spans.push(...spans.map((span) => ({ ...plain(span), scope, resource: plain(resource) })))
      received.metrics.push(...metrics.map((metric) => ({ ...metric, scope })))
    }
  }
}

function plain({ attributes = [], ...rest } = {}) {
  return { ...rest, attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value.value])) }
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit(0))
