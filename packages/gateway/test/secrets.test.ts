import { fileURLToPath } from 'node:url'
import { paths } from '@toolbridge/api'
import { canary, canaryIn } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { untilAsked, untilServer } from './support/waiting.ts'

const program = fileURLToPath(new URL('../../bridge/test/servers/parrot.mjs', import.meta.url))

test('a server that repeats its secrets wherever it can gets none of them shown by the gateway', async () => {
  const lockbox = await openTestLockbox()
  onTestFinished(() => lockbox.close())
  await using gateway = createTestGateway({ lockbox })
  const ada = gateway.as('ada')
  const args = [program, `--token=${canary('argument')}`]
  const parrot = { command: process.execPath, args, env: { PARROT_ENV: canary('environment') } }
  await ada.post(paths.config, { mcpServers: { parrot } })
  expect(await untilServer(ada, 'parrot', 'ready')).toMatchObject({
    serverInfo: { name: 'parrot [redacted]' },
  })

  const refused = await ada.post(paths.call, { tool: 'mcp://parrot/refuse' })
  const asking = ada.post(paths.call, { tool: 'mcp://parrot/ask' })
  const { id } = await untilAsked(ada)
  await ada.post(paths.answer(id), { action: 'accept', content: { city: canary('answer') } })
  const answers = [refused, await asking, await ada.post(paths.call, { tool: 'mcp://parrot/die' })]
  const told = await Promise.all(
    [...answers, await ada.get(paths.activity), await ada.get(paths.servers)].map((each) => each.text()),
  )
  for (const text of [...told, ...gateway.logged]) expect(canaryIn(text)).toBeUndefined()
  expect(told.slice(0, 3)).toEqual(Array(3).fill(expect.stringContaining('[redacted]')))
})
