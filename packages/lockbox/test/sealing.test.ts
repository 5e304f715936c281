import { createSecretKey, webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SealError } from '../src/errors.ts'
import { associatedData, pack, type Sealed, seal, unpack, unseal } from '../src/sealing/seal.ts'
import { openValue, sealValue } from '../src/sealing/seal-value.ts'

const vectors = readVectors()
const key = createSecretKey(Buffer.from('11'.repeat(32), 'hex'))
const place = associatedData('user_secrets', 'ann', 'mcp', 'servers', '1')

describe('the sealed format', () => {
  test.each(vectors)('known answer: $name', (vector) => {
    const associated = associatedData(...vector.parts)
    expect(associated.toString('hex')).toBe(vector.associatedData)
    const secret = createSecretKey(Buffer.from(vector.key, 'hex'))
    const opened = unseal(secret, unpack(Buffer.from(vector.packed, 'hex')), associated)
    expect(opened.toString('utf8')).toBe(vector.plaintext)
  })

  test('another implementation of AES-256-GCM opens it [S2-73]', async () => {
    const sealed = seal(key, Buffer.from('hello'), place)
    const imported = await webcrypto.subtle.importKey('raw', key.export(), 'AES-GCM', false, ['decrypt'])
    const parameters = { name: 'AES-GCM', iv: sealed.iv, additionalData: place, tagLength: 128 }
    const joined = Buffer.concat([sealed.ciphertext, sealed.authTag])
    const opened = await webcrypto.subtle.decrypt(parameters, imported, joined)
    expect(Buffer.from(opened).toString()).toBe('hello')
  })

  test('every sealing has an IV of 96 bits and a tag of 128 bits of its own [S2-73]', () => {
    const all = Array.from({ length: 1_000 }, () => seal(key, Buffer.from('same'), place))
    expect(new Set(all.map(({ iv }) => Buffer.from(iv).toString('hex'))).size).toBe(1_000)
    expect(all.every(({ iv, authTag }) => iv.length === 12 && authTag.length === 16)).toBe(true)
  })
})

describe('a sealed value', () => {
  test('comes back as it was, whatever JSON can hold', () => {
    const dataKey = { id: 'k', key }
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const opened = openValue(dataKey, ['t', 'ann'], sealValue(dataKey, ['t', 'ann'], value))
        expect(JSON.stringify(opened)).toBe(JSON.stringify(value))
      }),
    )
  })

  test('is damaged when any byte of it changes', () => {
    const packed = pack(seal(key, Buffer.from('the value'), place))
    for (let index = 1; index < packed.length; index++) {
      const changed = Buffer.from(packed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(codeOf(() => unseal(key, unpack(changed), place))).toBe('damaged')
    }
  })

  test('is damaged when it was cut, at any length', () => {
    const packed = pack(seal(key, Buffer.from('the value'), place))
    for (let length = 0; length < packed.length; length++) {
      expect(codeOf(() => unseal(key, unpack(packed.subarray(0, length)), place))).toBe('damaged')
    }
  })

  test('is damaged when its tag is shorter than the format says, even if what is left of it is right', () => {
    const sealed = seal(key, Buffer.from('the value'), place)
    const shortened: Sealed = { ...sealed, authTag: sealed.authTag.subarray(0, 12) }
    expect(codeOf(() => unseal(key, shortened, place))).toBe('damaged')
  })

  test('says that a newer program sealed it when the format is unknown', () => {
    const sealed = seal(key, Buffer.from('the value'), place)
    expect(codeOf(() => unseal(key, { ...sealed, format: 2 }, place))).toBe('unknown_version')
  })

  test('cannot be something JSON does not hold', () => {
    expect(() => sealValue({ id: 'k', key }, ['t', 'ann'], undefined)).toThrow(TypeError)
  })
})

describe('associated data', () => {
  test('differs for every list of parts, however their characters are spread', () => {
    const parts = fc.array(fc.string({ maxLength: 4 }), { maxLength: 4 })
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const isSame = associatedData(...one).equals(associatedData(...other))
        expect(isSame).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })
})

function codeOf(work: () => unknown): string {
  try {
    work()
    return 'opened'
  } catch (error) {
    if (error instanceof SealError) return error.code
    throw error
  }
}

type Vector = Record<'name' | 'key' | 'associatedData' | 'packed' | 'plaintext', string> & { parts: string[] }

function readVectors(): Vector[] {
  return JSON.parse(readFileSync(new URL('vectors/sealed-values.json', import.meta.url), 'utf8'))
}
