import { type DoctorEvent, paths, type Problem } from '@toolbridge/api'
import { createMemoryPair } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { schemaViolations } from './support/contract.ts'
import { createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { untilHang, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
/** The ends of connections to a server that never answers. */
let mute: { isClosed: boolean }[] = []
beforeAll(async () => {
  gateway = createTestGateway({
    lockbox,
    transportOf: (spec) =>
      spec.transport === 'stdio' && spec.command === 'mute' ? muteServer() : linkInMemory(spec),
  })
  const far = { url: 'https://127.0.0.1:1/mcp', headers: { key: canary('header') } }
  await gateway.as('ada').post(paths.config, { mcpServers: { hello: savedInMemory('hello'), far } })
  await untilServer(gateway.as('ada'), 'hello', 'ready')
})
beforeEach(() => {
  mute = []
})
afterAll(() => gateway[Symbol.asyncDispose]())

function muteServer() {
  const [link, end] = createMemoryPair()
  const connection = { isClosed: false }
  mute.push(connection)
  end.onclose = () => {
    connection.isClosed = true
  }
  return link
}

async function eventsOf(response: Response): Promise<readonly DoctorEvent[]> {
  const frames = (await response.text()).split('\n\n').filter((frame) => frame !== '')
  return frames.map((frame) => {
    expect(schemaViolations('DoctorEvent', frame.slice('data: '.length), frame)).toEqual([])
    return JSON.parse(frame.slice('data: '.length))
  })
}

/** A diagnosis goes on as its findings are read. */
async function readAll(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  while ((await reader?.read())?.done === false);
}

test('a diagnosis streams the findings of every stage and ends with its outcome', async () => {
  const response = await gateway.as('ada').post(paths.doctor('hello'), {})
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = await eventsOf(response)
  const found = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []))
  expect(found.map(({ stage }) => stage)).toEqual(expect.arrayContaining(['spawn', 'era', 'list', 'exit']))
  expect(new Set(found.map(({ server }) => server))).toEqual(new Set(['hello']))
  expect(found.filter(({ outcome }) => outcome === 'error')).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'done' })
})

test('a server that may not be reached is an error with a fix, and without its secrets', async () => {
  const events = await eventsOf(await gateway.as('ada').post(paths.doctor('far'), {}))
  expect(events.at(-1)).toEqual({ type: 'done', outcome: 'error' })
  const failed = events.filter((event) => event.type === 'finding' && event.finding.outcome === 'error')
  expect(failed).toMatchObject([{ finding: { server: 'far', fix: expect.stringMatching(/\w/) } }])
  expect(JSON.stringify(events)).not.toContain(canary('header'))
})

test('a server that does not exist is a 404', async () => {
  const response = await gateway.as('ada').post(paths.doctor('nothing'), {})
  const { code }: Problem = await response.json()
  expect([response.status, code]).toEqual([404, 'unknown_server'])
})

test('ending the request ends the diagnosis and closes its connection', async () => {
  await gateway.as('bob').post(paths.config, { mcpServers: { silent: { command: 'mute' } } })
  const response = await gateway.as('bob').post(paths.doctor('silent'), {})
  const reader = response.body?.getReader()
  const reading = readAll(reader)
  // One of the bridge of bob, and one of the diagnosis.
  await expect.poll(() => mute.length, untilHang).toBe(2)
  const second = await gateway.as('bob').post(paths.doctor('silent'), {})
  expect([second.status, (await second.json()).code]).toEqual([409, 'diagnosis_running'])
  await reader?.cancel()
  await reading
  expect(mute.filter(({ isClosed }) => isClosed)).toHaveLength(1)
  const third = await gateway.as('bob').post(paths.doctor('silent'), {})
  expect(third.status).toBe(200)
  await third.body?.cancel()
})
