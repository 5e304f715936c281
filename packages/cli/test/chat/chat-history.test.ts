import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ChatHistory, maxHistory } from '../../src/agent/chat/chat-history.ts'
import type { Terminal } from '../../src/terminal.ts'
import { useFolder } from '../folders.ts'

const folder = useFolder()
const stderr = new PassThrough()

async function openHistory(): Promise<ChatHistory> {
  const { signal } = new AbortController()
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr }
  const env = { TOOLBRIDGE_DATA: folder.path }
  const terminal: Terminal = { ...streams, env, cwd: folder.path, signal, interrupt: () => {} }
  const history = new ChatHistory(terminal)
  await history.load()
  return history
}

const file = (): string => join(folder.path, 'chat/history')

test('messages are kept in a private file, the most recent last', async () => {
  const history = await openHistory()
  await history.add('one')
  await history.add('two\nlines')
  expect(readFileSync(file(), 'utf8')).toBe('"one"\n"two\\nlines"\n')
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder.path, 'chat')).mode & 0o777).toBe(0o700)
  expect((await openHistory()).mostRecentFirst()).toEqual(['two\nlines', 'one'])
})

test('a file that others can read becomes private with the next message', async () => {
  mkdirSync(join(folder.path, 'chat'), { mode: 0o700 })
  writeFileSync(file(), '"one"\n')
  chmodSync(file(), 0o644)
  const history = await openHistory()
  await history.add('two')
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(history.mostRecentFirst()).toEqual(['two', 'one'])
})

test('what begins with a space, repeats the last message or is very long is not kept', async () => {
  const history = await openHistory()
  for (const message of ['one', 'one', ' a secret', 'x'.repeat(10_001)]) await history.add(message)
  expect(readFileSync(file(), 'utf8')).toBe('"one"\n')
})

test('only the most recent messages are kept', async () => {
  mkdirSync(join(folder.path, 'chat'), { mode: 0o700 })
  writeFileSync(file(), Array.from({ length: maxHistory + 5 }, (_, index) => `"${index}"\n`).join(''))
  const history = await openHistory()
  await history.add('last')
  const lines = readFileSync(file(), 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(maxHistory)
  expect([lines[0], lines.at(-1)]).toEqual(['"6"', '"last"'])
})

test('messages of two chats at once are both kept, and damaged lines are ignored', async () => {
  const [one, other] = [await openHistory(), await openHistory()]
  await one.add('one')
  appendFileSync(file(), '{"broken\n')
  await other.add('other')
  expect((await openHistory()).mostRecentFirst()).toEqual(['other', 'one'])
})

test('a history that cannot be kept is reported once, and works until the chat ends', async () => {
  writeFileSync(join(folder.path, 'chat'), 'not a folder')
  const history = await openHistory()
  await history.add('one')
  await history.add('two')
  expect(history.mostRecentFirst()).toEqual(['two', 'one'])
  expect(String(stderr.read()).match(/the history is not kept/g)).toHaveLength(1)
})
