import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { canary, canaryIn, lookAlong, takeLeaks } from '@toolbridge/testkit/secrets'
import { afterEach, beforeEach, expect, test } from 'vitest'

const secret = canary('test')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['as it is', secret],
  ['in Base64', Buffer.from(`a${secret}`).toString('base64')],
  ['in Base64 of addresses', Buffer.from(`ab${secret}z`).toString('base64url')],
  ['in Base64 behind something else', Buffer.from(`abc${secret}`).toString('base64')],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
])('the scan finds a secret %s', (_how, text) => {
  expect(canaryIn(`said ${text} aloud`)).toContain(text.slice(0, 40))
  expect(canaryIn(Buffer.from(`said ${text} aloud`))).toBeDefined()
  expect(canaryIn('said nothing')).toBeUndefined()
})

test('the scan finds a secret that is let out in two pieces', () => {
  const hear = lookAlong('output', 'a terminal')
  for (const piece of [`it is ${secret.slice(0, 12)}`, `${secret.slice(12)}.`, 'and nothing more'])
    hear(piece)
  expect(takeLeaks()).toMatchObject([{ where: 'a terminal' }])
})

test('the scan sees what a process writes for people', () => {
  process.stderr.write(`on purpose: ${secret}\n`)
  expect(takeLeaks()).toMatchObject([{ where: 'the output of the process', excerpt: expect.any(String) }])
})

test('the scan sees what the command writes for people', async () => {
  const program = join(folder, 'packages', 'cli', 'dist', 'leaking.mjs')
  await mkdir(join(program, '..'), { recursive: true })
  writeFileSync(program, 'console.log(process.env.KEY); console.error("key " + process.env.KEY)')
  await promisify(execFile)(process.execPath, [program], { env: { KEY: secret } })
  expect(takeLeaks()).toMatchObject([{ where: expect.stringContaining('leaking.mjs') }])
})

test('the scan sees errors that tests look at, with all that they hold', async () => {
  const leaking = Object.assign(new Error('no', { cause: [new Error(secret)] }), { code: 1 })
  const failing = async (): Promise<never> => Promise.reject(leaking)
  const isSeen = (): boolean => takeLeaks().some(({ where }) => where === 'errors')
  expect(leaking).toMatchObject({ code: 1 })
  expect(isSeen()).toBe(true)
  expect(() => {
    throw leaking
  }).toThrow('no')
  expect(isSeen()).toBe(true)
  await expect(failing()).rejects.toThrow('no')
  expect(isSeen()).toBe(true)
  await expect(failing()).rejects.toMatchObject({ code: 1 })
  expect(isSeen()).toBe(true)
})

test('the scan looks into files before they are removed, but for what a test wrote into them itself', async () => {
  const script = 'require("node:fs").writeFileSync(process.env.FILE, process.env.KEY)'
  const file = join(folder, 'below', 'written.txt')
  await mkdir(join(folder, 'below'))
  writeFileSync(join(folder, 'own.json'), secret)
  await promisify(execFile)(process.execPath, ['-e', script], { env: { FILE: file, KEY: secret } })
  await rm(folder, { recursive: true })
  expect(takeLeaks()).toMatchObject([{ where: `the file ${file}` }])
})
