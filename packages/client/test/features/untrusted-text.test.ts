import { printable } from '../../src/text/printable.ts'
import { afterEach, expect, test } from 'vitest'
import { HttpTransport, McpClient } from '../../src/index.ts'
import {
  answer,
  json,
  type Respond,
  type ScriptedHttpServer,
  scriptedHttpServer,
} from '../support/http-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

test('a tool that calls itself harmless is not called again when its answer is lost [F2]', async () => {
  const annotations = {
    readOnlyHint: true,
    idempotentHint: true,
    destructiveHint: false,
    openWorldHint: false,
  }
  const { client, server } = await connected((request, response) => {
    if (request.message.method === 'tools/call') return void response.destroy()
    json(
      response,
      answer(request, { tools: [{ name: 'pay', inputSchema: { type: 'object' }, annotations }] }),
    )
  })
  expect(await client.listTools()).toMatchObject([{ annotations }])
  await expect(client.callTool('pay')).rejects.toMatchObject({
    kind: expect.stringMatching(/closed|unreachable/),
  })
  expect(server.seen.filter(({ message }) => message.method === 'tools/call')).toHaveLength(1)
})

test('icons are handed on as they are and never loaded [F21]', async () => {
  const { client, server } = await connected((request, response) => {
    const icons = [{ src: `${server.url}/icon.png` }, { src: 'file:///etc/passwd' }]
    json(response, answer(request, { tools: [{ name: 'pretty', inputSchema: { type: 'object' }, icons }] }))
  })
  expect(await client.listTools()).toMatchObject([{ icons: [{ src: `${server.url}/icon.png` }, {}] }])
  await client.close()
  expect(server.seen.filter(({ path }) => path.includes('icon'))).toEqual([])
})

async function connected(respond: Respond): Promise<{ client: McpClient; server: ScriptedHttpServer }> {
  const server = await scriptedHttpServer(respond)
  const client = new McpClient(new HttpTransport({ url: server.url }))
  opened.push(server, client)
  await client.connect()
  return { client, server }
}

test('text for a terminal has nothing that reorders or hides text, and its emoji stay whole', () => {
  const hidden = ['\u061C', '\u200B', '\u202E', '\u2067', '\u009B31m', '\u{E0041}', '\uFEFF']
  for (const text of hidden) expect(printable(`a${text}b`)).toMatch(/^a(?:31m)?b$/)
  expect(printable('👩‍💻 ❤️')).toBe('👩‍💻 ❤️')
})

test('text for a terminal is one line: whatever breaks lines is a space', () => {
  for (const text of ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029', '\t'])
    expect(printable(`a${text}b`), JSON.stringify(text)).toBe('a b')
  expect(printable('a\r\nb\u2028c', { keepLines: true })).toBe('a\nb c')
})
