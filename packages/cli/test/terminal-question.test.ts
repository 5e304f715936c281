import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'

const folder = useFolder()
let terminal: PseudoTerminal | undefined
afterEach(() => terminal?.end())

function callElicit(tool: string): PseudoTerminal {
  const file = join(folder.path, 'mcp.json')
  const elicit = { command: process.execPath, args: [fixtureServers.elicit] }
  writeFileSync(file, JSON.stringify({ mcpServers: { elicit } }))
  terminal = new PseudoTerminal(['call', tool, '--mcp', file], folder.path, { NO_COLOR: '1' })
  return terminal
}

test("a server's question is asked in the terminal, names the server, and its answer reaches the tool [C3]", async () => {
  const screen = callElicit('elicit__greet_me')
  await screen.shows(/elicit[\s\S]*What is your name\?/)
  await screen.shows(/Name/)
  screen.type('Ada\r')
  await screen.shows(/Excited/)
  screen.type('\r')
  await screen.shows(/Send this to server "elicit"\?/)
  screen.type('\r')
  await screen.shows(/Hello, Ada!/)
  expect(await screen.exit).toBe(0)
})

test('Ctrl-C at a question gives the call up, as it does everywhere else', async () => {
  const screen = callElicit('elicit__greet_me')
  await screen.shows(/Name/)
  screen.type('\u0003')
  expect(await screen.exit).toBe(130)
  expect(screen.text).not.toMatch(/Hello,|cancelled/)
})

test('Escape at a question only leaves it without an answer', async () => {
  const screen = callElicit('elicit__greet_me')
  await screen.shows(/Name/)
  screen.type('\u001b')
  expect(await screen.exit).toBe(0)
})

test('nothing is written on a question that is open for long', async () => {
  const file = join(folder.path, 'mcp.json')
  const hello = { command: process.execPath, args: [fixtureServers.hello], env: { TOKEN: '${input:token}' } }
  const inputs = [{ id: 'token', type: 'promptString', description: 'Your token' }]
  writeFileSync(file, JSON.stringify({ inputs, servers: { hello } }))
  terminal = new PseudoTerminal(['call', 'hello__hello', '--mcp', file], folder.path, { NO_COLOR: '1' })
  await terminal.shows(/server "hello" needs Your token/)
  // The notice about a wait comes after one second.
  await setTimeout(1200)
  terminal.type('x\r')
  await terminal.shows(/Hello, /)
  const [, afterQuestion] = terminal.text.split('needs Your token')
  expect(afterQuestion).not.toContain('starting')
})

test('what a definition asks for is typed once, unseen when it is a secret, before its server starts', async () => {
  const file = join(folder.path, 'mcp.json')
  const inputs = [{ id: 'token', type: 'promptString', description: 'Your token', password: true }]
  const hello = {
    type: 'stdio',
    command: process.execPath,
    args: [fixtureServers.hello],
    env: { TOKEN: '${input:token}' },
  }
  writeFileSync(file, JSON.stringify({ inputs, servers: { hello } }))
  terminal = new PseudoTerminal(['call', 'hello__hello', '--mcp', file], folder.path, { NO_COLOR: '1' })
  await terminal.shows(/server "hello" needs Your token/)
  terminal.type(`${canary('typed')}\r`)
  await terminal.shows(/Hello, /)
  expect(await terminal.exit).toBe(0)
  expect(terminal.text).not.toContain(canary('typed'))
})
