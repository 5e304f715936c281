import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { currentProcess } from '@toolbridge/client/internal'
import { briefPgliteArguments, openPgliteFromImage, preparePgliteImage } from '@toolbridge/testkit/databases'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { takeFolderLock } from '../src/database/folder-lock.ts'
import { openForTest, openTestLockbox, rejection, servers, testKey } from './support/test-lockbox.ts'

beforeAll(async () => void (await preparePgliteImage()))

describe('a lockbox in a folder', () => {
  test('is refused to a second process, which learns who has it; and free once that one closed it', async () => {
    const folder = await imageFolder()
    const holder = startProgram('open-lockbox.mjs', folder, testKey)
    expect(await holder.line()).toBe('saved')
    const error = await rejection(openForTest(folder))
    expect(error).toMatchObject({ code: 'lockbox_in_use', data: { pid: holder.process.pid, folder } })
    expect(String(error)).toContain(`process ${holder.process.pid}; stop that process`)
    holder.process.stdin.end()
    await once(holder.process, 'exit')
    const lockbox = await openForTest(folder)
    expect(await lockbox.settings.read('ann', servers)).toMatchObject({ value: 'acknowledged' })
    // The same process is refused, too.
    expect(await rejection(openForTest(folder))).toMatchObject({
      code: 'lockbox_in_use',
      data: { pid: process.pid },
    })
  })

  test('is free once the process that had it was killed, and has all that was acknowledged', async () => {
    const folder = await imageFolder()
    const holder = startProgram('open-lockbox.mjs', folder, testKey)
    expect(await holder.line()).toBe('saved')
    await kill(holder)
    const lockbox = await openForTest(folder)
    expect(await lockbox.settings.read('ann', servers)).toMatchObject({ value: 'acknowledged' })
  })

  test('comes up after a process was killed while creating it, and nothing is left of that', async () => {
    const folder = await interruptedCreation()
    const lockbox = await openTestLockbox(folder)
    await lockbox.close()
    expect((await readdir(folder)).toSorted()).toEqual(['database', expect.stringMatching(/^lock\.\d+$/)])
  })
})

describe('the lock of a folder', () => {
  test('goes to exactly one of many that find the former holder dead', async () => {
    const folder = await emptyFolder()
    const contenders = Array.from({ length: 6 }, () => startProgram('hold-folder.mjs', folder))
    while (contenders.length > 0) {
      for (const { process } of contenders) process.stdin.write('go\n')
      const outcomes = await Promise.all(contenders.map((contender) => contender.line()))
      const losers = outcomes.filter((outcome) => outcome === 'lockbox_in_use')
      expect([outcomes.length - losers.length, outcomes.includes('held')]).toEqual([1, true])
      const [winner] = contenders.splice(outcomes.indexOf('held'), 1)
      if (winner) await kill(winner)
    }
  })

  test('goes from hand to hand within a process, one at a time', async () => {
    const folder = await emptyFolder()
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => takeFolderLock(folder)))
      const held = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(held).toHaveLength(1)
      await held[0]?.release()
    }
    expect(await readdir(folder)).toHaveLength(1)
  })

  test('is taken from a process whose number another one has now', async () => {
    const folder = await emptyFolder()
    await writeHolder(folder, { ...(await currentProcess()), startedAt: '1' })
    await (await takeFolderLock(folder)).release()
  })

  test('is taken from a process of before the machine was started', async () => {
    const folder = await emptyFolder()
    await writeHolder(folder, { ...(await currentProcess()), boot: 'an earlier one' })
    await (await takeFolderLock(folder)).release()
  })

  test.each([
    ['on another machine', { boot: 'another', host: 'another' }],
    ['in another container', { pidNamespace: 'pid:[1]' }],
  ])(
    'is not taken from a process %s, of which nothing is known; the message says which file to delete',
    async (_, differs) => {
      const folder = await emptyFolder()
      await writeHolder(folder, { ...(await currentProcess()), ...differs })
      const error = await rejection(takeFolderLock(folder))
      expect(error).toMatchObject({ code: 'lockbox_in_use', data: { pid: process.pid } })
      expect(String(error)).toContain(`delete ${join(folder, 'lock.7')}`)
    },
  )

  test.each(['', '{}', 'null', '{"pid":"1"}', 'nonsense'])(
    'that cannot be read (%j) is not taken',
    async (text) => {
      const folder = await emptyFolder()
      await writeFile(join(folder, 'lock.7'), text)
      expect(await rejection(takeFolderLock(folder))).toMatchObject({ code: 'lockbox_in_use' })
    },
  )
})

interface Program {
  readonly process: ChildProcessByStdio<Writable, Readable, null>
  line(): Promise<string>
}

function startProgram(name: string, ...parameters: readonly string[]): Program {
  const program = fileURLToPath(new URL(`programs/${name}`, import.meta.url))
  const child = spawn(process.execPath, [...briefPgliteArguments, program, ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { process: child, line: async () => String((await lines.next()).value) }
}

async function kill({ process }: Program): Promise<void> {
  const exited = once(process, 'exit')
  process.kill('SIGKILL')
  await exited
}

/** A folder in which a process was killed while it created the database. */
async function interruptedCreation(): Promise<string> {
  const folder = join(await emptyFolder(), 'made/on/demand')
  const creator = startProgram('die-while-creating.mjs', folder, testKey)
  expect(await once(creator.process, 'exit')).toEqual([null, 'SIGKILL'])
  expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^new-/))
  return folder
}

async function imageFolder(): Promise<string> {
  const folder = await openPgliteFromImage()
  onTestFinished(() => folder.close())
  return folder.location
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'folder-lock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function writeHolder(folder: string, holder: Readonly<Record<string, unknown>>): Promise<void> {
  await writeFile(join(folder, 'lock.7'), JSON.stringify(holder))
}
