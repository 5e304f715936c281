import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BridgeEvent, openBridge, toText } from '@toolbridge/bridge'
import { jsonLinesSink } from '@toolbridge/bridge/journal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { permissive, plainServer } from '../servers/specs.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-journal-'))
  path = join(folder, 'journal.jsonl')
})
afterEach(() => rm(folder, { recursive: true }))

function diagnostic(message: string): BridgeEvent {
  return { type: 'diagnostic', at: new Date(0), code: 'test', message }
}

async function linesOf(file: string): Promise<readonly BridgeEvent[]> {
  const text = await readFile(file, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function messagesOf(file: string): Promise<readonly string[]> {
  return (await linesOf(file)).map((event) => ('message' in event ? event.message : event.type))
}

test('what a bridge does is in the file, one event a line, and the file is its owner’s alone', async () => {
  await writeFile(path, `${JSON.stringify(diagnostic('from before'))}\n`)
  await chmod(path, 0o644)
  const sink = jsonLinesSink(path)
  const bridge = await openBridge({ ...permissive([plainServer('plain')]), journal: sink.journal })
  await bridge.call('plain__echo', { text: 'x' })
  await bridge.close()
  await sink.close()
  const events = await linesOf(path)
  const types = events.map(({ type }) => type)
  expect(types[0]).toBe('diagnostic')
  expect(types).toEqual(
    expect.arrayContaining(['connection.opened', 'call.started', 'call.finished', 'connection.closed']),
  )
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a file that is full is put aside, and the oldest are not kept', async () => {
  const sink = jsonLinesSink(path, { maxBytes: 200, maxFiles: 2 })
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
    sink.journal(diagnostic(`event ${number}`))
    await sink.flush()
  }
  await sink.close()
  expect((await readdir(folder)).toSorted()).toEqual(['journal.jsonl', 'journal.jsonl.1', 'journal.jsonl.2'])
  const kept = await Promise.all([`${path}.2`, `${path}.1`, path].map(messagesOf))
  expect(kept.flat()).toEqual(['event 3', 'event 4', 'event 5', 'event 6', 'event 7', 'event 8'])
  expect((await stat(`${path}.1`)).mode & 0o777).toBe(0o600)
})

test('a line that was cut when its writer died does not spoil the next one', async () => {
  await writeFile(path, '{"type":"diagn')
  const sink = jsonLinesSink(path)
  sink.journal(diagnostic('whole'))
  await sink.close()
  const [, second = ''] = (await readFile(path, 'utf8')).split('\n')
  expect(JSON.parse(second)).toMatchObject({ message: 'whole' })
})

test('more events than may wait are left out, and the file says how many', async () => {
  const sink = jsonLinesSink(path, { maxQueued: 10 })
  for (let number = 0; number < 25; number += 1) sink.journal(diagnostic(`event ${number}`))
  await sink.flush()
  sink.journal(diagnostic('the last'))
  await sink.close()
  const messages = await messagesOf(path)
  expect(messages).toHaveLength(12)
  expect(messages).toEqual(expect.arrayContaining(['15 events were not written', 'event 9', 'the last']))
  expect(await linesOf(path)).toContainEqual(expect.objectContaining({ code: 'journal_lost' }))
})

test('a disk that takes nothing costs one diagnostic and no call, and what was lost is told afterwards', async () => {
  const problems: string[] = []
  const missing = join(folder, 'not there yet')
  const file = join(missing, 'journal.jsonl')
  const sink = jsonLinesSink(file, { onProblem: (message) => problems.push(message) })
  await using bridge = await openBridge({ ...permissive([plainServer('plain')]), journal: sink.journal })
  for (const text of ['a', 'b', 'c']) {
    expect(toText(await bridge.call('plain__echo', { text }))).toBe(`plain ${text}`)
    await sink.flush()
  }
  expect(problems).toEqual([
    expect.stringMatching(/^the journal cannot be written; events are dropped: ENOENT/),
  ])
  await mkdir(missing)
  await bridge.call('plain__echo', { text: 'd' })
  await sink.close()
  const [first, ...others] = await linesOf(file)
  expect(first).toMatchObject({ code: 'journal_lost', message: expect.stringMatching(/^\d+ events/) })
  expect(others.map(({ type }) => type)).toContain('call.finished')
})

// Only Linux has a device that is always full.
test.skipIf(process.platform !== 'linux')('a full disk is such a disk', async () => {
  const problems: string[] = []
  const sink = jsonLinesSink('/dev/full', { onProblem: (message) => problems.push(message) })
  sink.journal(diagnostic('one'))
  await sink.flush()
  sink.journal(diagnostic('two'))
  await sink.close()
  expect(problems).toEqual([expect.stringContaining('cannot be written')])
})
