import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finished } from './transcript.ts'
import { type Workplace, workplace, workshopWith } from './workshop.ts'

let place: Workplace
let file: string
beforeAll(async () => {
  place = workplace()
  file = join(place.path, 'recorded.cassette')
  for (const args of [['tools'], ['call', 'workshop.open', 'text=hi'], ['resources', 'read', 'note://one']])
    await place.run([...args, '--record', 'recorded.cassette'])
})
afterAll(() => place.remove())

/** Sends requests to `toolbridge replay` and returns what it answers. */
async function ask(args: readonly string[], ...requests: readonly object[]): Promise<readonly unknown[]> {
  const input = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('')
  const { code, stdout } = await place.run(['replay', ...args], { input })
  expect(code).toBe(0)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('--record appends the messages of several commands to one cassette, without secrets', () => {
  const text = readFileSync(file, 'utf8')
  expect(text.match(/"type":"cassette"/g)).toHaveLength(1)
  expect(text.match(/"type":"connection"/g)).toHaveLength(3)
  expect(text).toContain('the key is [redacted]')
  expect(text).not.toContain(canary('environment'))
})

test('replay serves the recorded server over stdio, in any order', async () => {
  const answers = await ask(
    ['recorded.cassette'],
    { id: 'a', method: 'resources/read', params: { uri: 'note://one' } },
    { id: 'b', method: 'tools/call', params: { name: 'open', arguments: { text: 'hi' } } },
    { id: 'c', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } },
    { id: 'd', method: 'tools/call', params: { name: 'open', arguments: { text: 'ho' } } },
  )
  expect(answers).toContainEqual(expect.objectContaining({ id: 'a', result: expect.anything() }))
  expect(answers).toContainEqual(expect.objectContaining({ id: 'b', result: expect.anything() }))
  expect(answers).toContainEqual(
    expect.objectContaining({ id: 'c', result: expect.objectContaining({ serverInfo: expect.anything() }) }),
  )
  expect(answers).toContainEqual({
    jsonrpc: '2.0',
    id: 'd',
    error: {
      code: -32602,
      message: 'not recorded: tools/call open {"text":"ho"}. Recorded: tools/call open {"text":"hi"}',
    },
  })
})

test('a line that is not JSON is answered with a parse error, and the next one is served', async () => {
  const { stdout } = await place.run(['replay', 'recorded.cassette'], {
    input: 'hello\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
  })
  expect(stdout).toBe(
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON"}}\n{"jsonrpc":"2.0","id":1,"result":{}}\n',
  )
})

const twoServers = [
  { type: 'cassette', version: 1, recordedAt: '' },
  { type: 'connection', connection: 1, server: 'a', transport: 'stdio' },
  { type: 'connection', connection: 2, server: 'b', transport: 'stdio' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')

test.each([
  ['a damaged cassette', () => ['replay', 'damaged'], /damaged:2: the line is not a JSON object/],
  [
    'a missing cassette',
    () => ['replay', 'missing'],
    /missing: cannot read the cassette: there is no such file/,
  ],
  [
    'an unknown server',
    () => ['replay', file, 'files'],
    /server "files" was not recorded; recorded: workshop/,
  ],
  ['no cassette', () => ['replay'], /missing cassette/],
  ['an empty cassette', () => ['replay', 'empty'], /empty: no server was recorded/],
  [
    'a cassette of two',
    () => ['replay', 'two', '--drift'],
    /several servers: a, b\. Name one: toolbridge replay two a\n/,
  ],
  ['a file of another kind', () => ['tools', '--record', 'mcp.json'], /mcp\.json:1: not a cassette/],
  ['a gateway', () => ['serve', '--record', 'x'], /--record needs --stdio/],
  ['a folder', () => ['tools', '--record', 'folder'], /folder: cannot write the cassette: EISDIR/],
])('%s is refused with exit status 2 and the reason', async (_, args, reason) => {
  writeFileSync(join(place.path, 'damaged'), '{"type":"cassette","version":1}\nhello\n')
  mkdirSync(join(place.path, 'folder'), { recursive: true })
  writeFileSync(join(place.path, 'empty'), '{"type":"cassette","version":1}\n')
  writeFileSync(join(place.path, 'two'), twoServers)
  const { code, stdout, stderr }: Finished = await place.run(args())
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(reason)
})

test('a cassette whose last line is incomplete is replayed without it, with a notice', async () => {
  writeFileSync(join(place.path, 'crashed'), `${readFileSync(file, 'utf8')}{"type":"mess`)
  const { code, stderr } = await place.run(['replay', 'crashed'])
  expect([code, stderr]).toEqual([0, 'toolbridge: crashed: the last line is incomplete and was ignored\n'])
})

test('--drift compares the cassette with the live server and exits with 7 if it changed', async () => {
  const args = ['replay', 'recorded.cassette', '--drift', '--lists']
  const same = await place.run(args)
  expect([same.code, same.stderr]).toEqual([0, ''])
  expect(same.stdout).toBe('workshop: 1 compared, no differences\n')
  const other = workplace({ workshop: workshopWith('open') })
  try {
    const { code, stdout } = await other.run(['replay', file, '--drift', '--yes'])
    expect(code).toBe(7)
    expect(stdout).toMatch(/^workshop: 3 compared, \d+ differ\n {2}removed {2}tool /)
    expect(stdout).not.toContain('tool open')
    const json = await other.run(['replay', file, 'workshop', '--drift', '--yes', '--format', 'json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ server: 'workshop', compared: 3, skipped: [] })
    expect(json.code).toBe(7)
  } finally {
    other.remove()
  }
})

test('--drift shows the calls of a cassette and makes none without consent', async () => {
  const { code, stdout, stderr } = await place.run(['replay', 'recorded.cassette', '--drift'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^workshop: 2 compared, no differences, 1 skipped\n {2}skipped {2}tools\/call open .*: not confirmed\n$/,
  )
  expect(stderr).toMatch(/^The cassette repeats these calls of workshop:\n {2}tools\/call /)
  expect(stderr).toMatch(/toolbridge: the calls are skipped; add --yes to make them/)
})

test('--drift needs a server of that name in the configuration', async () => {
  const other = workplace({ desk: workshopWith() })
  const { code, stderr } = await other.run(['replay', file, '--drift'])
  other.remove()
  expect([code, stderr]).toEqual([2, 'toolbridge: unknown server "workshop". Configured servers: desk\n'])
})
