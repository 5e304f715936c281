import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ScriptedModel, scriptedModel, type ScriptedModelOptions } from '@toolbridge/testkit/models'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, describe, expect, test } from 'vitest'
import { runInProcess } from '../in-process.ts'
import { PseudoTerminal } from '../pseudo-terminal.ts'
import { isAlive } from '../transcript.ts'
import { type Workplace, workplace, workshop } from '../workshop.ts'
import { callThenAnswer, keyOf, modelOptions, runWithModel } from './with-model.ts'

const waitingServer = fileURLToPath(new URL('../waiting-server.mjs', import.meta.url))
const down = '\u001b[B'

let place: Workplace | undefined
let screen: PseudoTerminal | undefined
let model: ScriptedModel | undefined
afterEach(async () => {
  screen?.end()
  place?.remove()
  await model?.[Symbol.asyncDispose]()
})

/** Runs a command at a terminal with these servers and a model that answers these turns. */
async function open(
  args: readonly string[],
  servers: object,
  turns: ScriptedModelOptions['turns'],
): Promise<{ readonly terminal: PseudoTerminal; readonly requests: ScriptedModel['requests'] }> {
  place = workplace(servers)
  model = await scriptedModel({ shape: 'compatible', turns })
  const words = [...args, '--mcp', 'mcp.json', ...modelOptions(model)]
  screen = new PseudoTerminal(words, place.path, { NO_COLOR: '1', ...keyOf(model) })
  return { terminal: screen, requests: model.requests }
}

test('each call is shown and asked about; one that is refused is not made, and the model goes on', async () => {
  const turns = [
    { text: 'I try.', calls: [{ tool: 'workshop__open', input: { text: 'first' } }] },
    { calls: [{ tool: 'workshop__open', input: { text: 'second' } }] },
    { text: 'One \u001b[31mof two.' },
  ]
  const { terminal, requests } = await open(['ask', 'Go.'], { workshop }, turns)
  await terminal.shows(/I try\.\r\n→ workshop__open \{"text":"first"\}[^]*Allow this call\?[^]*● Refuse/)
  terminal.type('\r')
  await terminal.shows(/✗ [^]*→ workshop__open \{"text":"second"\}[^]*Allow this call\?[^]*● Refuse/)
  terminal.type(down)
  await terminal.shows(/● Allow/)
  terminal.type('\r')
  await terminal.shows(/One of two\.\r\n/)
  expect(await terminal.exit).toBe(0)
  expect(terminal.raw).not.toContain('\u001b[31m')
  expect(requests.at(-1)?.results).toEqual([
    expect.not.stringContaining('first'),
    expect.stringContaining('second'),
  ])
})

test('a tool that is allowed from now on is allowed for models, and not for calls that are typed', async () => {
  const turns = callThenAnswer('workshop__open', { text: 'typed' })
  const { terminal } = await open(['ask', 'Go.'], { workshop }, turns)
  await terminal.shows(/Allow this tool from now on/)
  terminal.type(down.repeat(4))
  await terminal.shows(/● Allow this tool from now on/)
  terminal.type('\r')
  await terminal.shows(/Done\./)
  expect(await terminal.exit).toBe(0)
  const here = place ?? workplace()
  const again = await runWithModel(here, ['ask', 'Go.'], turns)
  expect(again).toMatchObject({ code: 0, stdout: 'Done.\n', stderr: '' })
  expect(again.requests[1]?.results).toEqual([expect.stringContaining('typed')])
  expect((await here.run(['call', 'workshop.open', '--mode', 'ask'])).code).toBe(4)
  const { stdout } = await runInProcess(['grants', 'list'], { env: { HOME: here.path } })
  expect(stdout).toBe('workshop  open  by models at a terminal\n')
})

test('a question of a server in the middle of a run is asked at the terminal', async () => {
  const elicit = { command: process.execPath, args: [fixtureServers.elicit] }
  const turns = callThenAnswer('elicit__greet_me', {}, 'I was told.')
  const { terminal, requests } = await open(['agent', 'Go.', '--yes'], { elicit }, turns)
  await terminal.shows(/What is your name\?[^]*Name/)
  terminal.type('Ada\r')
  await terminal.shows(/Excited/)
  terminal.type('\r')
  await terminal.shows(/Send this to server "elicit"\?/)
  terminal.type('\r')
  await terminal.shows(/I was told\.\r\n/)
  expect(await terminal.exit).toBe(0)
  expect(requests[1]?.results).toEqual([expect.stringContaining('Hello, Ada!')])
})

describe('Ctrl-C stops the servers and exits with 130', () => {
  /** The server that writes its process id to a file. */
  const waiting = { waiting: { command: process.execPath, args: [waitingServer] } }
  const file = (name: string): string => join(place?.path ?? '', name)

  async function interrupt(terminal: PseudoTerminal): Promise<void> {
    const pid = Number(readFileSync(file('pid'), 'utf8'))
    expect(isAlive(pid)).toBe(true)
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(130)
    expect(isAlive(pid)).toBe(false)
  }

  test('while the model answers, after a whole line of what arrived', async () => {
    const turns = [{ text: 'It is not ', hang: true }]
    const { terminal } = await open(['ask', 'Go.'], waiting, turns)
    await terminal.shows(/It is not/)
    await interrupt(terminal)
    expect(terminal.text.replace('^C', '')).toBe('It is not \r\n')
    await expect.poll(() => model?.cancelled).toBe(1)
  })

  test('while a tool runs', async () => {
    const { terminal } = await open(['agent', 'Go.', '--yes'], waiting, callThenAnswer('waiting__open'))
    await expect.poll(() => existsSync(file('called'))).toBe(true)
    await interrupt(terminal)
    expect(terminal.text.replace('^C', '')).toBe('→ waiting__open {}\r\n')
  })

  test('at an approval', async () => {
    const { terminal } = await open(['ask', 'Go.'], waiting, callThenAnswer('waiting__open'))
    await terminal.shows(/Allow this call\?/)
    await interrupt(terminal)
    expect(existsSync(file('called'))).toBe(false)
    expect(terminal.text).not.toMatch(/✗|unexpected error/)
  })
})
