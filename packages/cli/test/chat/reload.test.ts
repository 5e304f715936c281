import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { ScriptedModel } from '@toolbridge/testkit/models'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { modelOptions } from '../agent/with-model.ts'
import { put } from '../folders.ts'
import type { Finished } from '../transcript.ts'
import { type Workplace, workplace, workshopWith } from '../workshop.ts'
import { answeringModel } from './answering-model.ts'

let place: Workplace
let model: ScriptedModel
let typing: PassThrough
let [stdout, stderr] = ['', '']
let ended: Promise<Finished>
beforeEach(async () => {
  place = workplace({ workshop: workshopWith('open') })
  typing = new PassThrough()
  ;[stdout, stderr] = ['', '']
  model = await answeringModel((asked) =>
    asked === 'go' ? { calls: [{ tool: 'workshop__open' }] } : { text: `Result: ${asked}` },
  )
  ended = place.run(['chat', ...modelOptions(model)], {
    stdin: typing,
    onOutput: (text) => (stdout += text),
    onError: (text) => (stderr += text),
  })
})
afterEach(async () => {
  typing.end()
  await ended
  await model[Symbol.asyncDispose]()
  place.remove()
})

/** Types a line and waits until a text is printed. */
async function type(line: string, expected: RegExp): Promise<void> {
  ;[stdout, stderr] = ['', '']
  typing.write(`${line}\n`)
  await expect.poll(() => stdout + stderr).toMatch(expected)
}

function configure(text: string): void {
  writeFileSync(join(place.path, 'mcp.json'), text)
}

test('/reload starts, changes and stops servers, and the model gets their tools', async () => {
  await type('/servers', /^workshop {2}ready {2}1 tool$/m)
  configure(JSON.stringify({ mcpServers: { second: workshopWith('echo', 'fail') } }))
  await type('/reload', /reloaded the configuration: started second; stopped workshop\n/)
  await type('/servers', /^second {2}ready {2}2 tools$/m)
  await type('hello', /Result: hello\n/)
  expect(model.requests.at(-1)?.tools).toEqual(['second__echo', 'second__fail'])
})

test('a /reload of a configuration that cannot be used changes nothing', async () => {
  await type('hello', /Result: hello/)
  configure('{\n')
  await type('/reload', /mcp\.json:2:1: error: not valid JSON/)
  expect(stderr).toContain('toolbridge: the configuration was not reloaded; the previous one is in force\n')
  await type('/servers', /^workshop {2}ready {2}1 tool$/m)
})

test('/reload also reads the permission rules, and what was approved in the chat stays approved', async () => {
  await type('/approve mcp://workshop/*', /approved until the chat ends/)
  await type('go', /Result: \{\}\n/)
  put(place.path, 'mcp.permissions.json', { ask: ['mcp://workshop/open'] })
  await type('/reload', /no server changed/)
  await type('go', /Result: \{\}\n/)
  put(place.path, 'mcp.permissions.json', { deny: ['mcp://workshop/open'] })
  await type('/reload', /no server changed/)
  await type('go', /Result: .*rule deny mcp:\/\/workshop\/open/)
  put(place.path, 'mcp.permissions.json', { deny: ['workshop'] })
  await type('/reload', /mcp\.permissions\.json:1:\d+ \/deny\/0: error/)
  await type('go', /Result: .*rule deny mcp:\/\/workshop\/open/)
})
