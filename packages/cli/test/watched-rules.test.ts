import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finished } from './transcript.ts'
import { type Workplace, workplace } from './workshop.ts'

let place: Workplace
const host = new PassThrough()
let ended: Promise<Finished>
let [answers, printed] = ['', '']
beforeAll(() => {
  place = workplace()
  ended = place.run(['serve', '--stdio', '--watch'], {
    stdin: host,
    onOutput: (text) => (answers += text),
    onError: (text) => (printed += text),
  })
  send({ method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
  host.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
})
afterAll(async () => {
  host.end()
  expect(await ended).toMatchObject({ code: 0 })
  place.remove()
})

const clientInfo = { name: 'host', version: '1' }
let lastId = 0

function send(request: object): number {
  lastId += 1
  host.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, ...request })}\n`)
  return lastId
}

/** What the host gets for a call of the tool. */
async function called(): Promise<string> {
  const id = send({ method: 'tools/call', params: { name: 'workshop__open', arguments: { text: 'ab' } } })
  const line = (): string => answers.split('\n').find((each) => each.includes(`"id":${id}`)) ?? ''
  await expect.poll(line).not.toBe('')
  return line()
}

function writeRules(text: string): void {
  printed = ''
  writeFileSync(join(place.path, 'mcp.permissions.json'), text)
}

test('with --watch a rules file that is created or changed decides the calls from then on [S1-5]', async () => {
  expect(await called()).toContain('{\\"text\\":\\"ab\\"}')
  writeRules('{ "deny": ["mcp://workshop/open"] }')
  await expect.poll(() => printed).toContain('toolbridge: reloaded the permission rules\n')
  expect(await called()).toContain('rule deny mcp://workshop/open')
})

test('a rules file that becomes invalid is named, and the previous rules stay in force [S1-5]', async () => {
  writeRules('{\n  "deny": ["workshop"]\n}')
  await expect
    .poll(() => printed)
    .toContain('toolbridge: the permission rules were not reloaded; the previous ones are in force\n')
  expect(printed).toContain('mcp.permissions.json:2:12 /deny/0: error: ')
  expect(await called()).toContain('rule deny mcp://workshop/open')
})
