import { paths } from '@toolbridge/api'
import { watchMachine } from '@toolbridge/testkit/machine'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test, vi } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory, savedServer } from './support/specs.ts'

const lockbox = await openFileLockbox()

/** The store itself. */
const safeFiles = /toolbridge-lockbox-/

test('[S2-47] [S2-48] a workflow takes its servers from what was saved: no variable and no file of this machine is asked [S2-15] [S2-54] [S2-87] [S2-90]', async () => {
  await using gateway = createTestGateway({ lockbox })
  const ada = gateway.as('ada')
  const mcpServers = { mine: { ...savedServer('hostile'), env: { TOKEN: canary('lockbox') } } }
  await ada.post(paths.config, { mcpServers })
  const body = { workflowId: 'w', nodes: [{ kind: 'tool', id: 'one', tool: 'mine__environment' }] }

  using watched = watchMachine()
  const { nodes } = await (await ada.post(paths.invoke, body)).json()

  const environment = JSON.parse(nodes[0].result.content[0].text)
  expect(environment.TOKEN).toBe(canary('lockbox'))
  expect(watched.variables).toEqual([])
  expect(watched.files.filter((file) => !safeFiles.test(file))).toEqual([])
  expect(watched.written.filter((file) => !safeFiles.test(file))).toEqual([])
})

test.each([
  ['a variable', '${env:OF_THE_MACHINE}'],
  ['a file', '${file:/etc/hostname}'],
  ['the working folder', '${workspaceFolder}'],
])(
  '[S2-48] a saved server that names %s is not started, and nothing of this machine is read for it [S2-56] [S2-90] [d.6-5]',
  async (_, value) => {
    vi.stubEnv('OF_THE_MACHINE', canary('process'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const transportOf = vi.fn(linkInMemory)
    await using gateway = createTestGateway({ lockbox, transportOf })
    const owner = gateway.as('ada')
    // As if it had been saved before the gateway refused such values.
    const mcpServers = { mine: { ...savedInMemory('hello'), env: { NAME: value } } }
    await lockbox.settings.save('ada', { namespace: 'mcp', name: 'servers' }, { mcpServers })
    using watched = watchMachine()
    const body = { workflowId: 'w', nodes: [{ kind: 'tool', id: 'one', tool: 'mine__hello' }] }
    const answer = await (await owner.post(paths.invoke, body)).json()
    expect(answer).toMatchObject({
      nodes: [{ status: 'failed', code: 'toolkit_failed' }],
      failedToolkits: [{ name: 'mine', error: expect.stringContaining('belongs to the machine') }],
    })
    expect(transportOf).not.toHaveBeenCalled()
    expect(watched.variables).toEqual([])
    expect(watched.files.filter((file) => !safeFiles.test(file))).toEqual([])
  },
)

test('[S2-42] two people who run one workflow at the same time use servers of their own', async () => {
  await using gateway = createTestGateway({ lockbox })
  const body = { workflowId: 'shared', nodes: [{ kind: 'tool', id: 'one', tool: 'mine__environment' }] }
  const tokens = await Promise.all(
    ['ada', 'bob'].map(async (name) => {
      const person = gateway.as(name)
      const mcpServers = { mine: { ...savedServer('hostile'), env: { TOKEN: canary(name) } } }
      await person.post(paths.config, { mcpServers })
      const { nodes } = await (await person.post(paths.invoke, body)).json()
      return JSON.parse(nodes[0].result.content[0].text).TOKEN
    }),
  )
  expect(tokens).toEqual([canary('ada'), canary('bob')])
})

test('[S2-42] two people whose definitions are the same use servers of their own', async () => {
  const transportOf = vi.fn(linkInMemory)
  await using gateway = createTestGateway({ lockbox, transportOf })
  const node = { kind: 'tool', id: 'one', tool: 'mine__hello', arguments: { name: 'Ada' } }
  const body = { workflowId: 'shared', nodes: [node] }
  for (const name of ['ada', 'bob']) {
    const person = gateway.as(name)
    await person.post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
    expect(await (await person.post(paths.invoke, body)).json()).toMatchObject({ nodes: [{ status: 'ok' }] })
  }
  expect(transportOf).toHaveBeenCalledTimes(2)
})
