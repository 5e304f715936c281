import { fixtureServers } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { McpClient, type McpError } from '../../../src/index.ts'
import { StdioTransport, type StdioTransportConfig } from '../../../src/stdio.ts'
import { answeredId } from '../../../src/transports/messages/answered-id.ts'

test('noise, half lines and Windows line ends around messages do no harm; the first is kept as a sample [S4-33] [S4-35] [D21] [d.6-10] [T1]', async () => {
  const { client, transport, warnings } = await connected('--garbage')
  expect(await client.callTool('echo', { text: 'Grüße' })).toEqual(text('Grüße'))
  expect(transport.diagnostics.firstBadLine).toBe('Server ready: listening…')
  expect(transport.diagnostics.badLines).toBeGreaterThan(4)
  expect(warnings.filter((warning) => warning.includes('standard output'))).toHaveLength(1)
  await client.close()
})

test('an answer that comes twice counts once', async () => {
  const { client } = await connected('--answers-twice')
  expect(await client.callTool('echo', { text: 'a' })).toEqual(text('a'))
  expect(await client.callTool('echo', { text: 'b' })).toEqual(text('b'))
  await client.close()
})

test('a server that returns ids as strings is understood', async () => {
  const { client } = await connected('--string-ids')
  expect(await client.callTool('echo', { text: 'a' })).toEqual(text('a'))
  await client.close()
})

test('ten thousand notifications before an answer all arrive before it', async () => {
  let noticed = 0
  const { client } = await connected('--flood', {}, () => noticed++)
  await client.callTool('echo', { text: 'a' })
  expect(noticed).toBe(10_000)
  await client.close()
})

test('an answer over the limit fails its own call and no other', async () => {
  const { client } = await connected('--slow-start=0', { maxMessageBytes: 100_000 })
  const tooLarge = client.callTool('blob', { bytes: 5_000_000 })
  const echoed = client.callTool('echo', { text: 'still here' })
  await expect(tooLarge).rejects.toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('100000 bytes'),
  })
  expect(await echoed).toEqual(text('still here'))
  await client.close()
})

test('an answer of many megabytes arrives whole', async () => {
  const { client } = await connected('--slow-start=0')
  const { content } = await client.callTool('blob', { bytes: 8 * 1024 * 1024 })
  expect(content[0]?.type === 'text' && content[0].text.length).toBe(8 * 1024 * 1024)
  await client.close()
})

test('requests far larger than the pipe reach a server that reads slowly', async () => {
  const { client } = await connected('--slow-start=300')
  const texts = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(200_000, 'x'))
  const answers = await Promise.all(texts.map((each) => client.callTool('echo', { text: each })))
  expect(answers).toEqual(texts.map(text))
  await client.close()
})

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"con', 'x"}]}}', 7],
  ['{"id":"7","result":{"con', 'x"}]}}', '7'],
  ['{"result":{"content":[', '"}]},"jsonrpc":"2.0","id":7}', 7],
  ['{ "result" : {', '"}] } , "id" : 7 , "jsonrpc" : "2.0" }', 7],
  ['{"result":{"content":[', '"}],"id":7}}', undefined],
  ['{"method":"sampling/createMessage","params":{', '},"jsonrpc":"2.0","id":7}', undefined],
  ['{"jsonrpc":"2.0","id":7,"method":"x","params":{', '}}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/message","params":{', '},"id":7}', undefined],
])('the id of the answer %s … %s is %s', (head, tail, id) => {
  expect(answeredId({ head, tail })).toBe(id)
})

async function connected(
  flag: string,
  config: Partial<StdioTransportConfig> = {},
  onNotification: () => void = () => undefined,
): Promise<{ client: McpClient; transport: StdioTransport; warnings: string[] }> {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [fixtureServers.hostile, flag],
    ...config,
  })
  const warnings: string[] = []
  const onWarning = ({ message }: McpError): number => warnings.push(message)
  const client = new McpClient(transport, { onWarning, onNotification })
  await client.connect()
  return { client, transport, warnings }
}

function text(value: string): object {
  return { content: [{ type: 'text', text: value }] }
}
