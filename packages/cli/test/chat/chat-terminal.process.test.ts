import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ModelTurn, ScriptedModel } from '@toolbridge/testkit/models'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { modelOptions } from '../agent/with-model.ts'
import { put, useFolder } from '../folders.ts'
import { PseudoTerminal } from '../pseudo-terminal.ts'
import { isAlive } from '../transcript.ts'
import { answeringModel, lastAsked, lastMessages } from './answering-model.ts'

const folder = useFolder()
let model: ScriptedModel
let reply: (asked: string) => ModelTurn
let screen: PseudoTerminal | undefined
beforeAll(async () => {
  model = await answeringModel((asked) => reply(asked))
})
afterEach(() => screen?.end())
afterAll(() => model[Symbol.asyncDispose]())

const [ctrlC, ctrlD, up, down] = ['\u0003', '\u0004', '\u001b[A', '\u001b[B']
const waitingServer = fileURLToPath(new URL('../waiting-server.mjs', import.meta.url))
const workshop = fileURLToPath(new URL('../workshop.mjs', import.meta.url))

/** A chat at a terminal, with these servers configured for it. */
async function open(servers: object, ...args: readonly string[]): Promise<PseudoTerminal> {
  const file = put(folder.path, 'servers.json', { mcpServers: servers })
  return openIn(folder.path, '--mcp', file, ...args)
}

async function openIn(cwd: string, ...args: readonly string[]): Promise<PseudoTerminal> {
  const env = { NO_COLOR: '1', HOME: folder.path }
  screen = new PseudoTerminal(['chat', ...modelOptions(model), ...args], cwd, env)
  await screen.shows(/\/help lists the commands[^]*> $/)
  return screen
}

/** Types a line, and waits for what it leads to and the next prompt. */
async function say(terminal: PseudoTerminal, typed: string, expected: RegExp): Promise<void> {
  terminal.type(`${typed}\r`)
  await terminal.shows(new RegExp(`${expected.source}[^]*> $`))
}

function history(): readonly unknown[] {
  const lines = readFileSync(join(folder.path, '.toolbridge/chat/history'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** Calls a tool when asked to "go", and repeats everything else. */
function calling(tool: string, args: object): typeof reply {
  return (asked) => (asked === 'go' ? { calls: [{ tool, input: args }] } : { text: `Heard: ${asked}` })
}

test('messages of several lines, pasted text, Ctrl-C and a history that outlives the chat', async () => {
  reply = (asked) => ({ text: `Heard: ${asked}` })
  const terminal = await open({})
  await say(terminal, 'one', /Heard: one/)
  await say(terminal, 'two\\\rmore', /Heard: two\s+more/)
  await say(terminal, '"""\rthree\r\rlines\r"""', /Heard: three\s+lines/)
  terminal.type('\u001b[200~pasted\r/exit\r\u001b[201~')
  await terminal.shows(/… $/)
  await say(terminal, 'typed', /Heard: pasted\s+\/exit\s+typed/)
  await say(terminal, 'not\rmarked', /Heard: not\s+marked/)
  terminal.type('never\\\rsent')
  await terminal.shows(/… sent$/)
  terminal.type(ctrlC)
  await terminal.shows(/\^C\s+> $/)
  terminal.type(ctrlC)
  await terminal.shows(/To leave, press Ctrl-D or type \/exit\.\s+> $/)
  terminal.type(ctrlD)
  expect(await terminal.exit).toBe(0)
  const sent = ['one', 'two\nmore', 'three\n\nlines', 'pasted\n/exit\ntyped', 'not\nmarked']
  expect(lastAsked(model)).toEqual(sent)
  expect(history()).toEqual(sent)
  expect(statSync(join(folder.path, '.toolbridge/chat/history')).mode & 0o777).toBe(0o600)

  const second = await open({})
  await say(second, up.repeat(3), /Heard: three\s+lines/)
  second.type('/exit\r')
  expect(await second.exit).toBe(0)
  expect(lastAsked(model)).toEqual(['three\n\nlines'])
})

test('approvals and questions are asked in between, and answers to them are in no history', async () => {
  reply = calling('elicit__greet_me', {})
  const terminal = await open({ elicit: { command: process.execPath, args: [fixtureServers.elicit] } })
  terminal.type('go\r')
  await terminal.shows(/→ elicit__greet_me[^]*Allow this call\?[^]*● Refuse/)
  terminal.type(down.repeat(3))
  await terminal.shows(/● Allow this tool for the rest of the session/)
  terminal.type('\r')
  await terminal.shows(/What is your name\?[^]*Name/)
  terminal.type('Ada Lovelace\r')
  await terminal.shows(/Excited/)
  terminal.type('\r')
  await terminal.shows(/Send this to server "elicit"\?/)
  await say(terminal, '', /Heard: Hello, Ada Lovelace!/)
  await say(terminal, '/approve', /elicit__greet_me {2}until the chat ends/)
  terminal.type('go\r')
  await terminal.shows(/What is your name\?[^]*Name/)
  terminal.type('\u001b')
  await terminal.shows(/Heard: cancelled\s+> $/)
  await say(terminal, 'thanks', /Heard: thanks/)
  terminal.type(ctrlD)
  expect(await terminal.exit).toBe(0)
  expect(history()).toEqual(['go', '/approve', 'go', 'thanks'])
})

describe('Ctrl-C during an answer cancels it and not the chat', () => {
  test('while a tool is called: the server gets to know, and stays', async () => {
    reply = calling('waiting__open', { text: 'ab' })
    const terminal = await open({ waiting: { command: process.execPath, args: [waitingServer] } }, '--yes')
    terminal.type('go\r')
    await expect.poll(() => existsSync(join(folder.path, 'called'))).toBe(true)
    terminal.type(ctrlC)
    await terminal.shows(/toolbridge: cancelled\s+> $/)
    await expect.poll(() => existsSync(join(folder.path, 'cancelled'))).toBe(true)
    await say(terminal, 'two', /Heard: two/)
    expect(isAlive(Number(readFileSync(join(folder.path, 'pid'), 'utf8')))).toBe(true)
    expect(lastAsked(model)).toEqual(['go', 'two'])
    expect(lastMessages(model).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    terminal.type(ctrlD)
    expect(await terminal.exit).toBe(0)
  })

  test('while the model speaks, and at a question; SIGTERM ends the chat and its servers', async () => {
    reply = (asked) =>
      asked === 'go' ? { calls: [{ tool: 'waiting__open' }] } : { text: 'I think', hang: asked === 'slow' }
    const terminal = await open({ waiting: { command: process.execPath, args: [waitingServer] } })
    terminal.type('slow\r')
    await terminal.shows(/I think/)
    terminal.type(ctrlC)
    await terminal.shows(/toolbridge: cancelled\s+> $/)
    terminal.type('go\r')
    await terminal.shows(/Allow this call\?/)
    terminal.type(ctrlC)
    await terminal.shows(/toolbridge: cancelled\s+> $/)
    await say(terminal, 'two', /I think/)
    expect(lastAsked(model)).toEqual(['slow', 'go', 'two'])
    terminal.kill('SIGTERM')
    expect(await terminal.exit).toBe(130)
    expect(isAlive(Number(readFileSync(join(folder.path, 'pid'), 'utf8')))).toBe(false)
  })
})

test('/reload asks for trust in a server that the project has added, and /model uses another model', async () => {
  reply = calling('added__open', { text: 'ab' })
  const project = join(folder.path, 'project')
  mkdirSync(project)
  const terminal = await openIn(project, '--mode', 'allow')
  await say(terminal, '/servers', /no servers/)
  put(project, '.toolbridge/mcp.json', {
    mcpServers: { added: { command: process.execPath, args: [workshop, 'open'] } },
  })
  terminal.type('/reload\r')
  await terminal.shows(/came with this project[^]*Do you trust this server\?/)
  terminal.type(ctrlC)
  await terminal.shows(/toolbridge: cancelled\s+> $/)
  terminal.type('/reload\r')
  await terminal.shows(/Do you trust this server\?/)
  terminal.type('y')
  await terminal.shows(/reloaded the configuration: started added\s+> $/)
  await say(terminal, '/model compatible/other', /compatible\/other/)
  await say(terminal, 'go', /Heard: \{"text":"ab"\}/)
  expect(model.requests.at(-1)?.body['model']).toBe('other')
  terminal.type(ctrlD)
  expect(await terminal.exit).toBe(0)
})
