import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { type Finished, temporaryFolder, toolbridge } from './transcript.ts'

let folder: ReturnType<typeof temporaryFolder>
let terminal: PseudoTerminal | undefined
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  terminal?.end()
  folder.remove()
})

const down = '\u001b[B'

/** A definition that wants every call to be asked about. */
function careful(): string {
  const file = join(folder.path, 'mcp.json')
  const server = { command: process.execPath, args: [fixtureServers.hello], approval: { default: 'ask' } }
  writeFileSync(file, JSON.stringify({ mcpServers: { careful: server } }))
  return file
}

function callWithoutTerminal(file: string): Promise<Finished> {
  return toolbridge(['call', 'careful__hello', '--mcp', file], { env: { HOME: folder.path } })
}

test('without a terminal a call that needs an approval is not made, and the way to be asked is named', async () => {
  const result = await callWithoutTerminal(careful())
  expect(result).toMatchObject({ code: 4, stdout: '' })
  expect(result.stderr).toContain('needs an approval')
  expect(result.stderr).toContain('At a terminal you are asked')
})

test('what a person allows from now on is allowed from now on, until the definition changes', async () => {
  const file = careful()
  terminal = new PseudoTerminal(['call', 'careful__hello', '--mcp', file], folder.path, { NO_COLOR: '1' })
  await terminal.shows(/Allow this tool from now on/)
  terminal.type(down.repeat(4))
  await terminal.shows(/● Allow this tool from now on/)
  terminal.type('\r')
  await terminal.shows(/Hello, world!/)
  expect(await terminal.exit).toBe(0)
  expect(await callWithoutTerminal(file)).toMatchObject({ code: 0, stdout: 'Hello, world!\n' })
  // What the gateway's hosts may call is kept there, and nobody was asked about that.
  expect(existsSync(join(folder.path, '.toolbridge/grants'))).toBe(false)

  writeFileSync(file, readFileSync(file, 'utf8').replace('"args"', '"env":{"A":"b"},"args"'))
  expect((await callWithoutTerminal(file)).code).toBe(4)
})
