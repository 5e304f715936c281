import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startHttpFixture } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { answer, events, json, scriptedHttpServer } from '../../support/http-server.ts'

// Each in a program of its own, which has nothing else to do and would end if the client did not hold it.

test('a program stays for a server that wants to be asked again', async () => {
  const fixture = await startHttpFixture('modern')
  expect(await textOfCall(fixture.url, 'patience')).toBe('ready after 2 rounds')
  await fixture.close()
})

test('a program stays for an answer whose stream is to be taken up later [H6]', async () => {
  const server = await scriptedHttpServer(
    (request, response) => {
      const { method } = request.message
      if (request.headers['last-event-id'] === 'e1') {
        events(response).send({ jsonrpc: '2.0', id: idOfCall, result: said('at last') })
      } else if (request.method !== 'POST') response.writeHead(405).end()
      else if (method === 'tools/call') {
        idOfCall = request.message.id
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: e1\nretry: 300\ndata:\n\n')
      } else json(response, answer(request, method === 'initialize' ? initializeResult : { tools: [] }))
    },
    { takesAll: true },
  )
  let idOfCall: unknown
  expect(await textOfCall(server.url, 'any')).toBe('at last')
  await server.close()
})

test('a program stays for a server that is busy and says for how long', async () => {
  let isBusy = true
  const server = await scriptedHttpServer((request, response) => {
    if (request.message.method === 'tools/list') return json(response, answer(request, { tools: [] }))
    if (isBusy) response.writeHead(503, { 'retry-after': '1' }).end()
    else json(response, answer(request, said('welcome')))
    isBusy = false
  })
  expect(await textOfCall(server.url, 'any', { idempotent: true })).toBe('welcome')
  await server.close()
})

const initializeResult = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1.0.0' },
}

function said(text: string): object {
  return { content: [{ type: 'text', text }] }
}

async function textOfCall(url: string, tool: string, options: object = {}): Promise<string> {
  const client = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)
  const script = `
    const { connectMcp } = await import(${client})
    const { client, close } = await connectMcp({ url: ${JSON.stringify(url)} })
    const { content } = await client.callTool(${JSON.stringify(tool)}, {}, ${JSON.stringify(options)})
    process.stdout.write(content[0].text)
    await close()
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return stdout
}
