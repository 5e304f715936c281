import { fixtureServers, type HttpFixture, runFixture, startHttpFixture } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll } from 'vitest'
import { createMemoryPair, HttpTransport } from '../src/index.ts'
import { StdioTransport } from '../src/stdio.ts'
import { describeTransport } from './describe-transport.ts'

describeTransport('memory', async () => {
  const [transport, end] = createMemoryPair()
  const server = await runFixture('elicit', end)
  return { transport, close: () => server.close() }
})

describeTransport('stdio', async () => {
  const transport = new StdioTransport({ command: process.execPath, args: [fixtureServers.elicit] })
  return { transport, close: () => transport.close() }
})

let fixture: HttpFixture

beforeAll(async () => {
  fixture = await startHttpFixture('elicit')
})

afterAll(() => fixture.close())

describeTransport('HTTP', async () => {
  const transport = new HttpTransport({ url: fixture.url })
  return { transport, close: () => transport.close() }
})

describeTransport('HTTP by fetch', async () => {
  const transport = new HttpTransport({ url: fixture.url, fetch })
  return { transport, close: () => transport.close() }
})
