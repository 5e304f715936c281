import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBridge, toText } from '@toolbridge/bridge'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { askOnce, type CallTool } from '../elicitation/people/crowd.ts'
import { openChannels } from '../elicitation/people/channels.ts'
import { Ledger, type Person } from '../elicitation/people/ledger.ts'
import { ownServer, permissive } from '../servers/specs.ts'

test('a server that comes back as an older one does not get to ask over a connection that is shared', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolbridge-era-'))
  const eraFile = join(folder, 'era')
  writeFileSync(eraFile, 'modern')
  const session = pathToFileURL(fixtureServers.curious.replace(/curious\.js$/, 'curious-session.js')).href
  await using bridge = await openBridge({
    ...permissive([{ ...ownServer('turncoat'), env: { ERA_FILE: eraFile, SESSION: session } }]),
    restarts: { firstDelayMs: 0 },
  })
  const ledger = new Ledger()
  await using channels = await openChannels(ledger)
  const people = ['one', 'two'].map((conversation, index): Person => {
    const person = { name: conversation, origin: { principal: 'local', conversation } }
    return { ...person, answerer: channels.answererFor(person, index) }
  })
  const call: CallTool = async (tool, args, { origin, answerer }, options) =>
    toText(await bridge.call(`turncoat__${tool}`, args, { origin, answerer, ...options }))
  const everybodyAsks = (): Promise<unknown> =>
    Promise.all(people.map((person) => askOnce(call, person, ledger, 'during', 0)))

  await everybodyAsks()
  const [shared, another] = bridge.processes()
  expect(another).toBe(undefined)

  writeFileSync(eraFile, 'legacy')
  if (shared !== undefined) process.kill(shared.pid, 'SIGKILL')
  await expect.poll(() => bridge.status()[0]?.pid).not.toBe(shared?.pid)
  await expect.poll(() => everybodyAsks().then(() => 'asked', String)).toBe('asked')
  expect(ledger.misdelivered).toEqual([])
  const own = { principal: 'local', conversation: 'main' }
  expect(bridge.processes().map(({ origin }) => origin.conversation)).toEqual(
    expect.arrayContaining([own.conversation, 'one', 'two']),
  )
  rmSync(folder, { recursive: true })
})
