import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { ChatHistory } from '../../src/agent/chat/chat-history.ts'
import { PromptReader } from '../../src/agent/chat/prompt-reader.ts'
import type { Terminal } from '../../src/terminal.ts'
import { useFolder } from '../folders.ts'

const folder = useFolder()
let stdin: PassThrough
let shown: string
let ending: AbortController
let reader: PromptReader
beforeEach(() => {
  stdin = new PassThrough()
  shown = ''
  ending = new AbortController()
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  const env = { TOOLBRIDGE_DATA: folder.path, NO_COLOR: '1' }
  const { signal } = ending
  const terminal: Terminal = { stdin, stdout: stderr, stderr, env, cwd: '/', signal, interrupt: () => {} }
  reader = new PromptReader(terminal, new ChatHistory(terminal))
})

async function shows(expected: RegExp): Promise<void> {
  await expect.poll(() => stripVTControlCharacters(shown)).toMatch(expected)
}

/** Whether somebody reads the keyboard. */
function isListening(): boolean {
  return stdin.listenerCount('keypress') > 0
}

test('the keyboard is read only while a message is awaited', async () => {
  const message = reader.read()
  await shows(/> $/)
  expect(isListening()).toBe(true)
  stdin.write('hello\r')
  expect(await message).toBe('hello')
  expect(isListening()).toBe(false)
  const [on, off] = [shown.indexOf('\u001b[?2004h'), shown.indexOf('\u001b[?2004l')]
  expect([on >= 0, off > on]).toEqual([true, true])
})

test('a question takes the keyboard, and what was typed before it is not lost', async () => {
  const message = reader.read()
  await shows(/> $/)
  stdin.write('he')
  await shows(/> he$/)
  const [resume, resumeOther] = [reader.pause(), reader.pause()]
  resume()
  expect(isListening()).toBe(false)
  resumeOther()
  await shows(/> he\n[^]*> he$/)
  stdin.write('llo\r')
  expect(await message).toBe('hello')
})

test('no prompt is shown while a question is asked, and none after it if no message is awaited', async () => {
  const resume = reader.pause()
  const message = reader.read()
  expect([isListening(), shown]).toEqual([false, ''])
  resume()
  await shows(/> $/)
  stdin.write('hello\r')
  expect(await message).toBe('hello')
  reader.pause()()
  expect(isListening()).toBe(false)
})

test('what is printed while somebody types does not mix with the text', async () => {
  const message = reader.read()
  await shows(/> $/)
  stdin.write('hel')
  await shows(/> hel$/)
  reader.beforePrint()
  shown += 'a notice\n'
  await shows(/a notice\n> hel$/)
  expect(shown).toContain('\r\u001b[2Ka notice')
  stdin.write('lo\r')
  expect(await message).toBe('hello')
})

test('empty messages are not sent, and text after a message is kept for the next one', async () => {
  const message = reader.read()
  await shows(/> $/)
  stdin.write('\r')
  await shows(/> \s+> $/)
  stdin.write('one\rtw')
  expect(await message).toBe('one')
  const next = reader.read()
  await shows(/> tw$/)
  stdin.write('o\r')
  expect(await next).toBe('two')
})

test('the end of the command and the end of the input end the reading', async () => {
  const first = reader.read()
  await shows(/> $/)
  stdin.write('\u0004')
  expect(await first).toBeUndefined()
  const second = reader.read()
  ending.abort()
  expect(await second).toBeUndefined()
  expect(await reader.read()).toBeUndefined()
  expect(isListening()).toBe(false)
})
