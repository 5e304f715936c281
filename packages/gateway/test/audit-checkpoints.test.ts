import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditCheckpoint, openLockbox, parseCheckpoint } from '@toolbridge/lockbox'
import { openPgliteFromImage } from '@toolbridge/testkit/databases'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startGateway } from '../src/index.ts'
import { logCheckpoints } from '../src/lifecycle/audit-checkpoints.ts'

afterEach(() => void vi.useRealTimers())

test('the end of the audit is logged once a minute, if it has grown, and at the end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const lines: string[] = []
  const audit: { end?: AuditCheckpoint } = {}
  const grow = (count: number): string => {
    audit.end = { writer: 'b1e0d6a4-0000-4000-8000-000000000000', count, head: 'ab'.repeat(32) }
    return `audit checkpoint b1e0d6a4-0000-4000-8000-000000000000:${count}:${'ab'.repeat(32)}`
  }
  // Not a real audit, whose database would not follow the fake clock.
  const logging = logCheckpoints({ checkpoint: () => audit.end }, (line) => lines.push(line))
  vi.advanceTimersByTime(120_000)
  expect(lines).toEqual([])
  const first = grow(1)
  vi.advanceTimersByTime(180_000)
  expect(lines).toEqual([first])
  const second = grow(2)
  await logging.close()
  const third = grow(3)
  vi.advanceTimersByTime(180_000)
  expect(lines).toEqual([first, second])
  expect(lines).not.toContain(third)
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
  await gateway.close()
  const [checkpoint] = lines.flatMap((line) => parseCheckpoint(line.replace(/^audit checkpoint /, '')) ?? [])
  expect(checkpoint).toMatchObject({ count: expect.any(Number) })
  const reopened = await openLockbox(store)
  onTestFinished(() => reopened.close())
  const checkpoints = checkpoint === undefined ? [] : [checkpoint]
  expect(await reopened.audit.verify(checkpoints)).toMatchObject({ writers: 1, problems: [] })
})
