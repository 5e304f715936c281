/** One HTTP server on loopback: MCP servers at `/mcp/<label>` and `/sse/<label>`, and a model at every other path. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { answer } from './stub-answers.mjs'

/** Starts the server. `reached` has the headers of requests by label; `prompts` has the bodies of requests to the model. */
export async function startStubHttp() {
  const reached = new Map()
  const prompts = []
  const server = createServer((request, response) => {
    void text(request).then((body) => serve(request, response, body))
  })
  const serve = (request, response, body) => {
    const [, kind, label] = /^\/(mcp|sse)\/([^/?]+)/.exec(request.url ?? '') ?? []
    if (label === undefined) {
      prompts.push(body)
      return refuse(response)
    }
    const before = reached.get(label) ?? []
    reached.set(label, [...before, { kind, method: request.method, headers: request.headers }])
    answerHost(request, response, { body, kind, label })
  }
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address()
  return { port, reached, prompts, close: () => server.close() }
}

/** The model refuses every prompt, so that the host ends at once. */
function refuse(response) {
  const error = {
    type: 'invalid_request_error',
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'stub model',
  }
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
}

function answerHost(request, response, { body, kind, label }) {
  if (kind === 'sse' || request.method !== 'POST') return response.writeHead(405).end()
  const answered = answer(JSON.parse(body), decodeURIComponent(label))
  if (answered === undefined) return response.writeHead(202).end()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
}
