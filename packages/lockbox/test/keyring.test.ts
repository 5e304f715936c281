import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Keyring, openKeyring } from '../src/sealing/keyring.ts'
import { associatedData } from '../src/sealing/seal.ts'
import { rejection } from './support/test-lockbox.ts'

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyring-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

describe('a key file', () => {
  test('is created with a fresh key that only its owner can read, folders included', async () => {
    const file = join(folder, 'deep/er/key')
    const made = await openKeyring({ file })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700)
    expect((await openKeyring({ file })).keyId).toBe(made.keyId)
    expect((await openKeyring({ file: join(folder, 'other') })).keyId).not.toBe(made.keyId)
  })

  test('is created once, even by concurrent callers, and leaves no draft behind', async () => {
    const file = join(folder, 'key')
    const keyrings = await Promise.all(Array.from({ length: 20 }, () => openKeyring({ file })))
    expect(new Set(keyrings.map(({ keyId }) => keyId)).size).toBe(1)
    expect(await readdir(folder)).toEqual(['key'])
  })

  test.each([0o640, 0o604, 0o660])(
    'that others can use (mode %o) is refused with the command that helps',
    async (mode) => {
      const file = join(folder, 'key')
      await openKeyring({ file })
      await chmod(file, mode)
      const error = await rejection(openKeyring({ file }))
      expect(error).toMatchObject({ name: 'SealError', code: 'wrong_key' })
      expect(String(error)).toContain(`chmod 600 '${file}'`)
    },
  )

  test('that holds no key is refused, named, and left as it is', async () => {
    const file = join(folder, 'key')
    await writeFile(file, 'not a key\n', { mode: 0o600 })
    const error = await rejection(openKeyring({ file }))
    expect(error).toMatchObject({ code: 'wrong_key' })
    expect(String(error)).toContain(file)
    expect(await readFile(file, 'utf8')).toBe('not a key\n')
  })
})

describe('a key string', () => {
  test('is 32 bytes as hex or base64, padded or not', async () => {
    const base64 = bytes.toString('base64')
    const texts = [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      base64,
      base64.replace('=', ''),
      `${base64}\n`,
    ]
    const keyrings = await Promise.all(texts.map((key) => openKeyring({ key })))
    expect(new Set(keyrings.map(({ keyId }) => keyId)).size).toBe(1)
  })

  test.each([
    ['empty', ''],
    ['a passphrase', 'correct horse battery staple'],
    ['16 bytes as hex', '00'.repeat(16)],
    ['33 bytes as hex', '00'.repeat(33)],
    ['32 bytes as hex and half a byte', `${'00'.repeat(32)}0`],
    ['31 bytes as base64', Buffer.alloc(31, 7).toString('base64')],
    [
      '32 bytes as base64 with a stray character',
      `${Buffer.alloc(32, 7).toString('base64').slice(0, 20)}!${'A'.repeat(23)}`,
    ],
  ])('that is %s is refused without being quoted', async (_, key) => {
    const error = await rejection(openKeyring({ key }))
    expect(error).toMatchObject({ name: 'SealError', code: 'wrong_key' })
    if (key !== '') expect(inspect(error)).not.toContain(key)
  })
})

describe('an open keyring', () => {
  test('shows its id and never its key', async () => {
    const keyring = await openKeyring({ key: bytes.toString('hex') })
    expect(keyring.keyId).toBe('d395aa035d10a3d7')
    const shown = inspect(keyring, { depth: Infinity, showHidden: true }) + JSON.stringify(keyring)
    expect(shown).not.toContain(bytes.toString('hex').slice(0, 16))
    expect(shown).not.toContain(bytes.toString('base64').slice(0, 16))
  })

  test('unwraps what it wrapped, for the same place only', async () => {
    const keyring = await openKeyring({ key: bytes.toString('hex') })
    const wrapped = await keyring.wrap(Buffer.from('data key'), associatedData('here'))
    expect(Buffer.from(await keyring.unwrap(wrapped, associatedData('here'))).toString()).toBe('data key')
    expect(await codeOfUnwrap(keyring, wrapped, 'there')).toBe('damaged')
  })
})

async function codeOfUnwrap(keyring: Keyring, wrapped: Uint8Array, place: string): Promise<unknown> {
  const error = await rejection(keyring.unwrap(wrapped, associatedData(place)))
  return error instanceof Error && 'code' in error ? error.code : error
}
