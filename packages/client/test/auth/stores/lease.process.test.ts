import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstLineOf } from '@toolbridge/testkit/programs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileAuthStore } from '../../../src/auth/stores/file-auth-store.ts'
import { currentProcess } from '../../../src/files/process-identity.ts'
import { key } from '../fixtures/refresh-parts.ts'

const program = fileURLToPath(new URL('../programs/lease-holder.mjs', import.meta.url))
const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined

let folder = ''
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'auth-lease-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await rm(folder, { recursive: true })
})

function run(...flags: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...flags], { stdio: 'pipe' })
  child.stderr.pipe(process.stderr)
  children.push(child)
  return child
}

async function holder(): Promise<ChildProcess> {
  const child = run('hold', folder, JSON.stringify(key))
  await firstLineOf(child)
  return child
}

/** The folder of the one set of tokens, where its lock is. */
async function lockFolder(): Promise<string> {
  await fileAuthStore({ folder }).tokens(key)
  const [name = ''] = await readdir(join(folder, 'tokens'))
  return join(folder, 'tokens', name)
}

async function heldBy(identity: object | string): Promise<string> {
  const file = join(await lockFolder(), 'lease.7')
  await writeFile(file, typeof identity === 'string' ? identity : JSON.stringify(identity))
  return file
}

function lease(leaseTimeoutMs: number): Promise<string> {
  return fileAuthStore({ folder, leaseTimeoutMs }).lease(key, () => Promise.resolve('ours'))
}

test('a lease that a living process holds is waited for, however slow it is', async () => {
  const slow = await holder()
  slow.kill('SIGSTOP')
  await expect(lease(200)).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringMatching(new RegExp(`process ${slow.pid} has held the lock .* more than 0.2 s`)),
  })
  slow.kill('SIGCONT')
  const waiting = lease(20_000)
  slow.stdin?.end()
  expect(await waiting).toBe('ours')
  expect(await lease(5_000)).toBe('ours')
})

test('a lease whose holder was killed is free at once', async () => {
  const victim = await holder()
  const waiting = lease(20_000)
  victim.kill('SIGKILL')
  expect(await waiting).toBe('ours')
})

test('waiting for a lease ends with the reason of the signal', async () => {
  await holder()
  const impatience = AbortSignal.timeout(50)
  const waiting = fileAuthStore({ folder }).lease(key, () => Promise.resolve(), { signal: impatience })
  await expect(waiting).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }))
  expect(impatience.aborted).toBe(true)
})

// Elsewhere the system does not say when a process was started.
test.skipIf(process.platform !== 'linux')('a holder whose number another process got is gone', async () => {
  const self = await currentProcess()
  await heldBy({ ...self, startedAt: '1' })
  expect(await lease(5_000)).toBe('ours')
})

// Elsewhere the system does not name its boots.
test.skipIf(process.platform !== 'linux')(
  'a holder from before the machine was started again is gone',
  async () => {
    const self = await currentProcess()
    await heldBy({ ...self, boot: 'an earlier one' })
    expect(await lease(5_000)).toBe('ours')
  },
)

const uncertain: readonly (readonly [string, () => Promise<object | string>])[] = [
  [
    'ran on another machine',
    async () => ({ ...(await currentProcess()), pid: 999_999, boot: 'another', host: `not-${hostname()}` }),
  ],
  ['ran in another container', async () => ({ ...(await currentProcess()), pidNamespace: 'pid:[1]' })],
  ['left half a file', async () => '{ "pid": 1'],
]

test.each(uncertain)(
  'a holder that %s is waited for, and given up after five minutes',
  async (_, holderOf) => {
    const file = await heldBy(await holderOf())
    await expect(lease(100)).rejects.toThrow(
      /lease\.7 has been held .* cannot be seen from here; .* if you delete it$/,
    )
    const past = new Date(Date.now() - 5 * 60_000 - 1_000)
    await utimes(file, past, past)
    expect(await lease(5_000)).toBe('ours')
  },
)

test('a taker that slept while others came and went does not get the lease', async () => {
  const place = await lockFolder()
  const self = await currentProcess()
  // Number 8 was taken and given up; the sleeper, who last saw number 7, creates number 8 once more.
  await writeFile(join(place, 'lease.8.free'), JSON.stringify(self))
  await writeFile(join(place, 'lease.8'), JSON.stringify(self))
  expect(await lease(5_000)).toBe('ours')
  expect((await readdir(place)).filter((name) => name.startsWith('lease'))).toEqual(['lease.9.free'])
})

test('processes that take turns never hold the lease together, also while some of them are killed', async () => {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'count')
  await writeFile(file, '0')
  const [workers, rounds] = isLong ? [16, 100] : [4, 15]
  const victims = [await holder(), run('hold', folder, JSON.stringify(key))]
  const counting = Array.from({ length: workers }, () =>
    run('count', folder, JSON.stringify(key), file, String(rounds)),
  )
  const finished = counting.map(async (child) => (await once(child, 'exit'))[0] as unknown)
  for (const victim of victims) victim.kill('SIGKILL')
  expect(await Promise.all(finished)).toEqual(counting.map(() => 0))
  expect(await readFile(file, 'utf8')).toBe(String(workers * rounds))
})
