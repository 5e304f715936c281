import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '@toolbridge/api'
import { type AuditCheckpoint, openLockbox, parseCheckpoint } from '@toolbridge/lockbox'
import { openPgliteFromImage } from '@toolbridge/testkit/databases'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Gateway, openStoreAudit, startGateway } from '../src/index.ts'
import { logCheckpoints } from '../src/lifecycle/audit-checkpoints.ts'

afterEach(() => void vi.useRealTimers())

test('the ends of the audit are logged once a minute, if they have grown, and at the end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const lines: string[] = []
  const ends = new Map<number, AuditCheckpoint>()
  const grow = (count: number, chain = 0): string => {
    const writer = `b1e0d6a4-0000-4000-8000-00000000000${chain}`
    ends.set(chain, { writer, count, head: 'ab'.repeat(32) })
    return `audit checkpoint ${writer}:${count}:${'ab'.repeat(32)}`
  }
  // Not a real audit, whose database would not follow the fake clock.
  const logging = logCheckpoints({ checkpoints: () => [...ends.values()] }, (line) => lines.push(line))
  vi.advanceTimersByTime(120_000)
  expect(lines).toEqual([])
  const first = grow(1)
  vi.advanceTimersByTime(180_000)
  expect(lines).toEqual([first])
  // The chain was abandoned and another one started within a minute.
  const abandoned = [grow(2), grow(1, 1)]
  vi.advanceTimersByTime(180_000)
  expect(lines).toEqual([first, ...abandoned])
  const last = grow(2, 1)
  await logging.close()
  const later = grow(3, 1)
  vi.advanceTimersByTime(180_000)
  expect(lines).toEqual([first, ...abandoned, last])
  expect(lines).not.toContain(later)
})

test('what a gateway logged proves later that nothing of the audit is missing', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'gateway-audit-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const { location } = await openPgliteFromImage()
  await rename(location, join(dataFolder, 'lockbox'))
  const lines: string[] = []
  const store = { location: join(dataFolder, 'lockbox'), keyring: { file: join(dataFolder, 'key') } }
  const lockbox = await openLockbox(store)
  await lockbox.settings.save('local', { namespace: 'mcp', name: 'servers' }, { mcpServers: {} })
  await lockbox.close()
  const gateway = await startGateway({ dataFolder, log: (line) => lines.push(line) })
  await expectAuditOfGateway(gateway, dataFolder)
  await gateway.close()
  const [checkpoint] = lines.flatMap((line) => parseCheckpoint(line.replace(/^audit checkpoint /, '')) ?? [])
  expect(checkpoint).toMatchObject({ count: expect.any(Number) })
  const checkpoints = checkpoint === undefined ? [] : [checkpoint]
  const reopened = await openStoreAudit({ dataFolder })
  onTestFinished(() => reopened.close())
  expect(await reopened.verify({ checkpoints })).toMatchObject({ isIntact: true, audit: { writers: 1 } })
  const [missing] = checkpoints.map((end) => ({ ...end, count: end.count + 1 }))
  if (missing === undefined) throw new Error('there is a checkpoint')
  expect(await reopened.verify({ checkpoints: [missing] })).toMatchObject({
    isIntact: false,
    audit: { problems: [{ problem: 'truncated', writer: missing.writer, number: missing.count }] },
  })
})

/** While it runs, the gateway answers for the store, to the token of the data folder only. */
async function expectAuditOfGateway(gateway: Gateway, dataFolder: string): Promise<void> {
  const audit = await openStoreAudit({ dataFolder })
  await expect
    .poll(() => audit.recent(1))
    .toMatchObject({
      entries: [{ action: 'read', kind: 'setting', name: ['mcp', 'servers', '1'], at: expect.any(String) }],
    })
  expect(await audit.verify({})).toMatchObject({ isIntact: true, audit: { writers: 1 } })
  await expect(audit.verify({ checkpoints: [{ writer: 'w', count: -1, head: '' }] })).rejects.toMatchObject({
    code: 'unreachable',
  })
  expect(await audit.recent(1, 'nobody')).toEqual({ entries: [] })
  await expect(audit.recent(0)).rejects.toMatchObject({ code: 'unreachable' })
  await expect(audit.recent(1, 'lockbox:audit')).rejects.toMatchObject({ code: 'unreachable' })
  await audit.close()
  const headers = { authorization: `Bearer ${gateway.mcpToken}` }
  expect((await fetch(gateway.url + paths.audit, { headers })).status).toBe(401)
  expect(
    (await fetch(gateway.url + paths.verification, { method: 'POST', headers, body: '{}' })).status,
  ).toBe(401)
}
