import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { childProcesses, commandLines } from './support/processes.ts'
import { operatorServer, savedServer } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

/** Starts a program with what is before its command, and stays while it runs, so that its own arguments can be read. */
const sandbox = ['/bin/sh', '-c', '/usr/bin/env "$@"; exit', 'sh']

test('no program is started with a secret in its arguments, which every user of the machine can read, advisory [A4]', async () => {
  const { command, args, env } = savedServer('hello')
  await using gateway = createTestGateway({
    lockbox,
    transportOf: () => undefined,
    operatorServers: [operatorServer('own', 'hello')],
    savedPrograms: { command: sandbox, allow: [[command, ...args]], env: ['KEY', 'ASKED'] },
  })
  const ada = gateway.as('ada')
  const mine = { command, args, env: { ...env, ASKED: '${input:asked}' } }
  const inputs = [{ type: 'promptString', id: 'asked', password: true, default: canary('asked') }]
  const text = JSON.stringify({ inputs, servers: { mine } })
  const saved = await ada.post(paths.importServers, { text, values: { 'input:asked': canary('asked') } })
  expect(await saved.json()).toMatchObject({ servers: ['mine'] })
  await untilServer(ada, 'mine', 'ready')
  await untilServer(gateway.as('local'), 'own', 'ready')
  expect(await childProcesses()).toHaveLength(3)
  const all = (await commandLines()).join('\n')
  for (const secret of ['saved', 'operator', 'asked', 'ada', 'local', 'host'])
    expect(all).not.toContain(canary(secret))
})
