import { paths } from '@toolbridge/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectHost } from './support/host.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { operatorServer } from './support/specs.ts'
import { untilAsked, untilNothingAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let listening: ListeningGateway
beforeAll(async () => {
  listening = await listenTestGateway({ lockbox, operatorServers: [operatorServer('curious', 'curious')] })
  await untilServer(listening.gateway.as('local'), 'curious', 'ready')
})
afterAll(() => listening[Symbol.asyncDispose]())

test.each([
  ['that can ask', async () => ({ action: 'decline' }) as const],
  ['that cannot ask', undefined],
])('a question that comes after its call goes to the inbox, for a host %s', async (_what, onQuestion) => {
  const local = listening.gateway.as('local')
  await using host = await connectHost(listening.url, onQuestion === undefined ? {} : { onQuestion })
  const late = { token: 'late', when: 'late', delayMs: 100 }
  await host.client.callTool({ name: 'curious__ask', arguments: late })
  const { id, message } = await untilAsked(local)
  expect(message).toContain('late')
  await local.post(paths.answer(id), { action: 'decline' })
  await untilNothingAsked(local)
})
