/** The lockbox's module for encryption, without any: values are stored as they are. */
import { SEAL_FORMAT } from '../../packages/lockbox/dist/sealing/seal.js'

export * from '../../packages/lockbox/dist/sealing/seal.js'

const iv = Buffer.alloc(12)
const authTag = Buffer.alloc(16)
const nothing = Buffer.alloc(0)

/**
 * @param {unknown} _key
 * @param {Uint8Array} plaintext
 */
export function seal(_key, plaintext) {
  return { format: SEAL_FORMAT, iv, authTag, ciphertext: plaintext }
}

/**
 * @param {unknown} _key
 * @param {{ ciphertext: Uint8Array }} sealed
 */
export function unseal(_key, { ciphertext }) {
  return Buffer.from(ciphertext)
}

export function associatedData() {
  return nothing
}
