import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SealError } from '../src/errors.ts'
import { checkKey, keyIdOfLockbox, replaceKeyCheck } from '../src/sealing/key-check.ts'
import { type Keyring, openKeyring, reopenKeyrings } from '../src/sealing/keyring.ts'
import { createOwnerKeys, rewrapKey, unwrapKey } from '../src/sealing/owner-keys.ts'
import { associatedData, pack, seal, unpack, unseal } from '../src/sealing/seal.ts'
import { openValue, resealValue, sealValue } from '../src/sealing/seal-value.ts'
import { fixedWrappingKeys } from '../src/sealing/wrapping-keys.ts'
import { type MemoryDatabase, memoryDatabase, type OwnerKeyRow } from './support/memory-database.ts'
import { otherKey, rejection, testKey } from './support/test-lockbox.ts'

const at = new Date(1_000)

async function openKeys(database: MemoryDatabase = memoryDatabase(), key: string = testKey) {
  const keyring = await openKeyring({ key })
  return { database, keyring, keys: createOwnerKeys(database, fixedWrappingKeys([keyring]), () => at) }
}

/** A row as another process would write it. */
async function rowOf(keyring: Keyring, owner: string, isCurrent: boolean): Promise<OwnerKeyRow> {
  const key_id = randomUUID()
  const place = associatedData('owner_keys', owner, key_id, keyring.keyId)
  return {
    owner,
    key_id,
    wrapping_key_id: keyring.keyId,
    wrapped_key: await keyring.wrap(Buffer.alloc(32, 7), place),
    is_current: isCurrent,
    created_at: at,
  }
}

describe('the data key of an owner', () => {
  test('is 32 bytes, made on first use, and wrapped for its owner and id', async () => {
    const { database, keyring, keys } = await openKeys()
    const { id, key } = await keys.current('ann')
    expect(key.symmetricKeySize).toBe(32)
    expect(database.ownerKeys).toMatchObject([
      { owner: 'ann', key_id: id, wrapping_key_id: keyring.keyId, is_current: true, created_at: at },
    ])
    const [row] = database.ownerKeys
    const place = associatedData('owner_keys', 'ann', id, keyring.keyId)
    const bytes = await keyring.unwrap(row?.wrapped_key ?? Buffer.alloc(0), place)
    expect(key.export().equals(Buffer.from(bytes))).toBe(true)
  })

  test('is read once, in a transaction of its owner, and each owner has one', async () => {
    const { database, keys } = await openKeys()
    const [first, again, other] = [
      await keys.current('ann'),
      await keys.current('ann'),
      await keys.current('bob'),
    ]
    expect(again).toBe(first)
    expect(other.id).not.toBe(first.id)
    expect(await keys.byId('ann', first.id)).toBe(first)
    expect(database.transactions).toEqual(['ann', 'bob'])
  })

  test('is the one of the process that was first', async () => {
    const { database, keyring, keys } = await openKeys()
    const theirs = await rowOf(keyring, 'ann', true)
    database.beforeInsert = async () => void database.ownerKeys.push(theirs)
    expect((await keys.current('ann')).id).toBe(theirs.key_id)
    expect(database.ownerKeys).toHaveLength(1)
  })

  test('is followed by another where none is current', async () => {
    const { database, keyring, keys } = await openKeys()
    const old = await rowOf(keyring, 'ann', false)
    database.ownerKeys.push(old)
    const { id } = await keys.current('ann')
    expect(id).not.toBe(old.key_id)
    expect((await keys.byId('ann', old.key_id)).key.export()).toEqual(Buffer.alloc(32, 7))
    expect(database.transactions).toEqual(['ann'])
  })

  test('that is there is not made again', async () => {
    const { database, keyring, keys } = await openKeys()
    const row = await rowOf(keyring, 'ann', true)
    database.ownerKeys.push(row)
    database.beforeInsert = () => Promise.reject(new Error('nothing to insert'))
    expect((await keys.current('ann')).id).toBe(row.key_id)
  })

  test('that another process added is looked up again, once', async () => {
    const { database, keyring, keys } = await openKeys()
    await keys.current('ann')
    const added = await rowOf(keyring, 'ann', false)
    database.ownerKeys.push(added)
    expect((await keys.byId('ann', added.key_id)).id).toBe(added.key_id)
    expect(database.transactions).toHaveLength(2)
    expect(await rejection(keys.byId('ann', randomUUID()))).toMatchObject({
      code: 'damaged',
      message: 'the key of the value is missing; restore it from a backup',
    })
    expect(database.transactions).toHaveLength(3)
  })

  test('that a rotation encrypted with the new key after it was read is read again', async () => {
    const { database, keyring, keys } = await openKeys()
    const rotated = await rowOf(keyring, 'ann', true)
    const { keyId: former } = await openKeyring({ key: otherKey })
    database.ownerKeys.push({ ...rotated, wrapping_key_id: former })
    const transaction = database.transaction.bind(database)
    database.transaction = async (owner, work) => {
      const result = await transaction(owner, work)
      database.ownerKeys.splice(0, 1, rotated)
      return result
    }
    expect((await keys.current('ann')).id).toBe(rotated.key_id)
    expect(database.transactions).toEqual(['ann', 'ann'])
  })

  test('is read once if it was changed: that is no rotation', async () => {
    const { database, keyring, keys } = await openKeys()
    database.ownerKeys.push({ ...(await rowOf(keyring, 'ann', true)), wrapped_key: Buffer.alloc(60, 1) })
    expect(await rejection(keys.current('ann'))).toMatchObject({ code: 'damaged' })
    expect(database.transactions).toEqual(['ann'])
  })

  test('is read again after it was forgotten', async () => {
    const { database, keys } = await openKeys()
    const { id } = await keys.current('ann')
    keys.forget()
    expect((await keys.current('ann')).id).toBe(id)
    expect(database.transactions).toEqual(['ann', 'ann'])
  })

  test('is wrapped with the preferred key of several, and opens as before', async () => {
    const [former, preferred] = [await openKeyring({ key: testKey }), await openKeyring({ key: otherKey })]
    const wrapping = fixedWrappingKeys([preferred, former])
    const row = await rewrapKey(wrapping, 'ann', await rowOf(former, 'ann', true))
    expect(row.wrapping_key_id).toBe(preferred.keyId)
    const { id, key } = await unwrapKey(fixedWrappingKeys([preferred]), 'ann', row)
    expect(id).toBe(row.key_id)
    expect(key.export()).toEqual(Buffer.alloc(32, 7))
  })

  test('that a rotation deleted makes the work run again, which finds the value under another one', async () => {
    const { keys } = await openKeys()
    const { id: current } = await keys.current('ann')
    const idsInRow = [randomUUID(), current]
    const work = async () => (await keys.byId('ann', idsInRow.shift() ?? '')).id
    expect(await keys.use('ann', work)).toBe(current)
    expect(idsInRow).toEqual([])
  })

  test('that a row refers to in vain makes the work run again, five times at most', async () => {
    const { database, keys } = await openKeys()
    await keys.current('ann')
    const violation = Object.assign(new Error('no such key'), { code: '23503' })
    let attempts = 0
    const work = async () => {
      attempts++
      await keys.current('ann')
      throw violation
    }
    expect(await rejection(keys.use('ann', work))).toBe(violation)
    expect(attempts).toBe(5)
    expect(database.transactions).toHaveLength(5)
  })

  test('has nothing to do with other failures of the work, which are not repeated', async () => {
    const { keys } = await openKeys()
    for (const failure of [new Error('no disk'), new SealError('damaged', 'changed')]) {
      let attempts = 0
      const work = () => {
        attempts++
        return Promise.reject(failure)
      }
      expect(await rejection(keys.use('ann', work))).toBe(failure)
      expect(attempts).toBe(1)
    }
  })

  test('that could not be made is not remembered', async () => {
    const { database, keys } = await openKeys()
    database.beforeInsert = () => Promise.reject(new Error('no disk'))
    await expect(keys.current('ann')).rejects.toThrow('no disk')
    database.beforeInsert = async () => {}
    expect((await keys.current('ann')).id).toBe(database.ownerKeys[0]?.key_id)
  })

  test('that vanished is damage', async () => {
    const { database, keys } = await openKeys()
    const rows = database.ownerKeys
    rows.push = () => 0
    expect(await rejection(keys.current('ann'))).toMatchObject({
      code: 'damaged',
      message: 'the owner has no current key; restore it from a backup',
    })
  })

  test('of another key is named by both ids, and one that was moved is damage', async () => {
    const { database, keyring } = await openKeys()
    const theirs = await openKeyring({ key: otherKey })
    database.ownerKeys.push(await rowOf(theirs, 'ann', true))
    const { keys } = await openKeys(database)
    expect(await rejection(keys.current('ann'))).toMatchObject({
      code: 'wrong_key',
      message: `the lockbox is encrypted with key ${theirs.keyId}, and the given key is ${keyring.keyId}; open it with its original key or key file`,
    })
    database.ownerKeys.push({ ...(await rowOf(keyring, 'ann', true)), owner: 'bob' })
    expect(await rejection(keys.current('bob'))).toMatchObject({ code: 'damaged' })
  })

  test('is remembered for the thousand owners that were used last', async () => {
    const { database, keys } = await openKeys()
    const owners = Array.from({ length: 1_000 }, (_unused, index) => `owner ${index}`)
    for (const owner of owners) await keys.current(owner)
    await keys.current('owner 0')
    expect(database.transactions).toHaveLength(1_000)
    await keys.current('one more')
    await keys.current('owner 0')
    await keys.current('owner 2')
    expect(database.transactions).toHaveLength(1_001)
    await keys.current('owner 1')
    expect(database.transactions).toHaveLength(1_002)
  })
})

describe('the key check', () => {
  test('adopts the key of a new lockbox, and lets only that one in', async () => {
    const database = memoryDatabase()
    const [own, other] = [await openKeyring({ key: testKey }), await openKeyring({ key: otherKey })]
    expect(await keyIdOfLockbox(database)).toBeUndefined()
    await checkKey(database, fixedWrappingKeys([own]))
    database.beforeInsert = () => Promise.reject(new Error('nothing to insert'))
    await checkKey(database, fixedWrappingKeys([own]))
    expect(database.keyChecks).toHaveLength(1)
    expect(await keyIdOfLockbox(database)).toBe(own.keyId)
    expect(await rejection(checkKey(database, fixedWrappingKeys([other])))).toMatchObject({
      code: 'wrong_key',
    })
    expect(new Set(database.transactions)).toEqual(new Set(['']))
    const [row] = database.keyChecks
    const proof = await own.unwrap(row?.wrapped ?? Buffer.alloc(0), associatedData('key_check', own.keyId))
    expect(Buffer.from(proof).toString()).toBe('the key opens this lockbox')
  })

  test('is that of the process that was first', async () => {
    const database = memoryDatabase()
    const [own, other] = [await openKeyring({ key: testKey }), await openKeyring({ key: otherKey })]
    database.beforeInsert = async () =>
      void database.keyChecks.push({ wrapping_key_id: other.keyId, wrapped: Buffer.alloc(1) })
    expect(await rejection(checkKey(database, fixedWrappingKeys([own])))).toMatchObject({ code: 'wrong_key' })
  })

  test('is replaced by that of the preferred key', async () => {
    const database = memoryDatabase()
    const [former, preferred] = [await openKeyring({ key: testKey }), await openKeyring({ key: otherKey })]
    await checkKey(database, fixedWrappingKeys([former]))
    const both = fixedWrappingKeys([preferred, former])
    await database.maintain((query) => replaceKeyCheck(query, both))
    await checkKey(database, fixedWrappingKeys([preferred]))
    expect(await rejection(checkKey(database, fixedWrappingKeys([former])))).toMatchObject({
      code: 'wrong_key',
    })
  })

  test('is damaged when it was changed, or is gone', async () => {
    const database = memoryDatabase()
    const own = await openKeyring({ key: testKey })
    database.keyChecks.push({ wrapping_key_id: own.keyId, wrapped: Buffer.alloc(60) })
    expect(await rejection(checkKey(database, fixedWrappingKeys([own])))).toMatchObject({ name: 'SealError' })
    const without = memoryDatabase()
    without.keyChecks.push = () => 0
    expect(await rejection(checkKey(without, fixedWrappingKeys([own])))).toMatchObject({
      code: 'damaged',
      message: 'the key check of the lockbox is missing; restore it from a backup',
    })
  })
})

describe('the key file of an existing lockbox', () => {
  async function temporaryFile(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'keys-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return join(folder, 'key')
  }

  test('is not created when it is missing', async () => {
    const file = await temporaryFile()
    expect(await rejection(reopenKeyrings({ file }, 'abc'))).toMatchObject({
      code: 'wrong_key',
      message: `the key file ${file} is missing, and the lockbox is encrypted with key abc; restore the file from a backup: without it the data cannot be decrypted`,
    })
    await expect(stat(file)).rejects.toThrow('ENOENT')
    const made = await openKeyring({ file })
    expect((await reopenKeyrings({ file }, 'abc'))[0].keyId).toBe(made.keyId)
    expect((await reopenKeyrings({ key: testKey }, 'abc'))[0].keyId).toBe(
      (await openKeyring({ key: testKey })).keyId,
    )
  })

  test('that cannot be used is told by its name, never by its content', async () => {
    const file = await temporaryFile()
    await writeFile(file, 'not a key', { mode: 0o600 })
    expect(await rejection(openKeyring({ file }))).toMatchObject({
      code: 'wrong_key',
      message: `the key in ${file} is not 32 bytes as hex or base64`,
    })
    expect(await rejection(openKeyring({ key: 'short' }))).toMatchObject({
      message: 'the key given is not 32 bytes as hex or base64',
    })
    await writeFile(file, testKey, { mode: 0o600 })
    await expect(openKeyring({ file: join(file, 'below') })).rejects.toThrow('ENOTDIR')
  })
})

test('sealed values say what is wrong with them', async () => {
  const { keys } = await openKeys()
  const { key } = await keys.current('ann')
  const sealed = seal(key, Buffer.from('value'), associatedData('a'))
  expect(() => unseal(key, { ...sealed, format: 2 }, associatedData('a'))).toThrow(
    'the value is encrypted in format 2, and this program supports only 1; update the program',
  )
  const damaged = 'the encrypted value was changed or moved to another row; restore it from a backup'
  expect(() => unseal(key, sealed, associatedData('b'))).toThrow(damaged)
  expect(() => unseal(key, { ...sealed, iv: Buffer.alloc(0) }, associatedData('a'))).toThrow(damaged)
  await expect(async () => unseal(key, sealed, associatedData('b'))).rejects.toMatchObject({
    cause: expect.any(Error),
  })
  expect(() => unpack(Buffer.alloc(0))).toThrow(damaged)
  expect(() => unpack(pack(sealed).subarray(0, 28))).toThrow(damaged)
  expect(unpack(pack(seal(key, Buffer.alloc(0), associatedData('a')))).ciphertext).toHaveLength(0)
})

test('a value opens at its own location, with its own key only', async () => {
  const { keys } = await openKeys()
  const [ann, bob] = [await keys.current('ann'), await keys.current('bob')]
  const sealed = sealValue(ann, ['t', 'ann', 'x'], { a: 1 })
  expect(openValue(ann, ['t', 'ann', 'x'], sealed)).toEqual({ a: 1 })
  expect(() => openValue(ann, ['t', 'ann', 'y'], sealed)).toThrow('changed or moved')
  expect(() => openValue({ ...ann, id: bob.id }, ['t', 'ann', 'x'], sealed)).toThrow('changed or moved')
  expect(() => openValue({ ...ann, key: bob.key }, ['t', 'ann', 'x'], sealed)).toThrow('changed or moved')
  expect(() => sealValue(ann, ['t', 'ann'], undefined)).toThrow('only JSON values can be stored')
})

test('a value is encrypted with another key for the same location only', async () => {
  const { keys } = await openKeys()
  const [former, current] = [await keys.current('ann'), await keys.current('bob')]
  const sealed = sealValue(former, ['t', 'ann', 'x'], { a: 1 })
  const again = resealValue(former, current, ['t', 'ann', 'x'], sealed)
  expect(openValue(current, ['t', 'ann', 'x'], again)).toEqual({ a: 1 })
  expect(() => openValue(former, ['t', 'ann', 'x'], again)).toThrow('changed or moved')
  expect(() => resealValue(former, current, ['t', 'ann', 'y'], sealed)).toThrow('changed or moved')
})
