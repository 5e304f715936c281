import { paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectHost, type Host } from './support/host.ts'
import { listenTestGateway } from './support/listening.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'
import { questionsOf, untilServer } from './support/waiting.ts'

let lockbox: Lockbox
beforeAll(async () => {
  lockbox = await openTestLockbox()
})
afterAll(() => lockbox.close())

const mostSessions = 64

test('a new session ends one that nobody uses, never one whose host waits; when all wait, it is refused', async () => {
  await using listening = await listenTestGateway({
    lockbox,
    operatorServers: [inMemory('hello')],
    permissions: { mode: 'ask' },
  })
  const local = listening.gateway.as('local')
  await untilServer(local, 'hello', 'ready')
  const hosts: Host[] = []
  const connect = async (): Promise<Host> => {
    const host = await connectHost(listening.url)
    hosts.push(host)
    return host
  }
  const ask = (host: Host): Promise<unknown> =>
    host.client.callTool({ name: 'hello__hello' }, undefined, { timeout: 600_000 })

  const first = await connect()
  const calls = [ask(first)]
  const idle = await connect()
  while (hosts.length < mostSessions) calls.push(ask(await connect()))
  calls.push(ask(await connect()))
  await expect(idle.client.listTools()).rejects.toThrow()

  await expect.poll(async () => (await questionsOf(local)).length).toBe(mostSessions)
  await expect(connect()).rejects.toThrow('each has a running call')
  const [accepted, ...declined] = await questionsOf(local)
  await local.post(paths.answer(accepted?.id ?? ''), { action: 'accept' })
  for (const { id } of declined) await local.post(paths.answer(id), { action: 'decline' })
  const answers = (await Promise.all(calls)).map((answer) => JSON.stringify(answer))
  expect(answers.filter((answer) => answer.includes('Hello, world!'))).toHaveLength(1)
  expect(answers.filter((answer) => answer.includes('"isError":true'))).toHaveLength(mostSessions - 1)
  await connect()
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()))
}, 600_000)
