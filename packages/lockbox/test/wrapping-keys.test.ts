import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { associatedData } from '../src/sealing/seal.ts'
import { addKey, readKeyFile } from '../src/sealing/key-file.ts'
import { openKeyrings, parseKeyring } from '../src/sealing/keyring.ts'
import { fixedWrappingKeys, type WrappingKeys, wrappingKeysOf } from '../src/sealing/wrapping-keys.ts'
import { otherKey, rejection, testKey } from './support/test-lockbox.ts'

const [newKey, formerKey] = [testKey, otherKey]
const [newId, formerId] = [idOf(newKey), idOf(formerKey)]
const place = associatedData('somewhere')

let file: string
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wrapping-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  file = join(folder, 'key')
})

describe('keys in a file', () => {
  test('are one per line: the first is preferred, the others open what they wrapped', async () => {
    const keys = await openFile(`${newKey}\n\n  ${formerKey}  \n`)
    expect(keys.preferred.keyId).toBe(newId)
    const wrapped = await parseKeyring(formerKey, 'a key').wrap(Buffer.from('data key'), place)
    const former = await keys.byId(formerId)
    expect(Buffer.from(await former.unwrap(wrapped, place)).toString()).toBe('data key')
  })

  test('are read again for a key that is not known, and only then', async () => {
    const keys = await openFile(`${formerKey}\n`)
    await writeFile(file, `${newKey}\n${formerKey}\n`)
    expect((await keys.byId(formerId)).keyId).toBe(formerId)
    expect(keys.preferred.keyId).toBe(formerId)
    expect((await keys.byId(newId)).keyId).toBe(newId)
    expect(keys.preferred.keyId).toBe(newId)
  })

  test('are read again on request', async () => {
    const keys = await openFile(`${formerKey}\n`)
    await writeFile(file, `${newKey}\n`)
    expect(await keys.reload()).toBeUndefined()
    expect(keys.preferred.keyId).toBe(newId)
    expect(await rejection(keys.byId(formerId))).toMatchObject({
      code: 'wrong_key',
      message: `the lockbox is encrypted with key ${formerId}, and the given key is ${newId}; open it with its original key or key file`,
    })
  })

  test('are not made anew when the file is gone, and the error names the key that is needed', async () => {
    const keys = await openFile(`${newKey}\n`)
    await rm(file)
    expect(await rejection(keys.reload())).toMatchObject({
      code: 'wrong_key',
      message: expect.stringContaining(
        `the key file ${file} is missing, and the lockbox is encrypted with key ${newId}`,
      ),
    })
    expect(await rejection(keys.byId(formerId))).toMatchObject({
      message: expect.stringContaining(`encrypted with key ${formerId}`),
    })
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  test('get a new preferred one, written before the others', async () => {
    const keys = await openFile(`${formerKey}\n`)
    await keys.add?.()
    const [added, ...others] = (await readKeyFile(file)) ?? []
    expect(added).toMatch(/^[0-9a-f]{64}$/)
    expect(others).toEqual([formerKey])
    expect(keys.preferred.keyId).toBe(idOf(added ?? ''))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).endsWith('\n')).toBe(true)
  })

  test('get no third one while a rotation is unfinished, also if another process began it', async () => {
    const keys = await openFile(`${formerKey}\n`)
    await addKey(file)
    const begun = await readFile(file, 'utf8')
    await keys.add?.()
    expect(await readFile(file, 'utf8')).toBe(begun)
    expect(keys.preferred.keyId).toBe(idOf(begun.split('\n')[0] ?? ''))
  })

  test('are moved to files of their own except the preferred one', async () => {
    const oldest = '3c'.repeat(32)
    const keys = await openFile(`${newKey}\n${formerKey}\n${oldest}\n`)
    const files = [`${file}.retired-${formerId}`, `${file}.retired-${idOf(oldest)}`]
    expect(await keys.retire()).toEqual(files)
    expect(await Promise.all(files.map((each) => readFile(each, 'utf8')))).toEqual([
      `${formerKey}\n`,
      `${oldest}\n`,
    ])
    expect(await readFile(file, 'utf8')).toBe(`${newKey}\n`)
    expect(await readdir(join(file, '..'))).toHaveLength(3)
    await expect(keys.byId(formerId)).rejects.toMatchObject({ code: 'wrong_key' })
    expect(await keys.retire()).toEqual([])
  })

  test('that are no keys are named by their file', async () => {
    const keys = await openFile(`${newKey}\n`)
    await writeFile(file, `${newKey}\nnot a key\n`)
    for (const error of [await rejection(keys.retire()), await rejection(keys.reload())])
      expect(error).toMatchObject({ message: `the key in ${file} is not 32 bytes as hex or base64` })
    expect(await readFile(file, 'utf8')).toBe(`${newKey}\nnot a key\n`)
  })
})

describe('given keys', () => {
  test('are used as they are: none is added, moved or read again', async () => {
    const keyrings = await openKeyrings({ key: newKey, previous: [formerKey] })
    const keys = wrappingKeysOf({ key: newKey, previous: [formerKey] }, keyrings)
    await keys.reload()
    expect(keys.add).toBeUndefined()
    expect(await keys.retire()).toEqual([])
    expect(keys.preferred.keyId).toBe(newId)
    expect((await keys.byId(formerId)).keyId).toBe(formerId)
  })

  test('are all named when none of them is the right one', async () => {
    const keys = fixedWrappingKeys(await openKeyrings({ key: newKey, previous: [formerKey] }))
    expect(await rejection(keys.byId('0123'))).toMatchObject({
      code: 'wrong_key',
      message: `the lockbox is encrypted with key 0123, and the given keys are ${newId}, ${formerId}; open it with its original key or key file`,
    })
  })

  test('are refused if a former one is no key', async () => {
    expect(await rejection(openKeyrings({ key: newKey, previous: ['short'] }))).toMatchObject({
      code: 'wrong_key',
      message: 'the key given is not 32 bytes as hex or base64',
    })
  })
})

async function openFile(text: string): Promise<WrappingKeys> {
  await writeFile(file, text, { mode: 0o600 })
  return wrappingKeysOf({ file }, await openKeyrings({ file }))
}

function idOf(key: string): string {
  return parseKeyring(key, 'a key').keyId
}
