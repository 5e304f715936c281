import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { SealError } from '../errors.ts'

/** Format 1: AES-256-GCM, 96-bit IV, 128-bit tag, associated data as `associatedData` writes it. */
export const SEAL_FORMAT = 1

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES

/** The parts of an encrypted value, as stored in the columns of a row. */
export type Sealed = {
  readonly format: number
  readonly iv: Uint8Array
  readonly authTag: Uint8Array
  readonly ciphertext: Uint8Array
}

/** Encrypts `plaintext` with a new IV. Decryption needs the same key and the same associated data. */
export function seal(key: KeyObject, plaintext: Uint8Array, associated: Uint8Array): Sealed {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(associated)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return { format: SEAL_FORMAT, iv, authTag: cipher.getAuthTag(), ciphertext }
}

/** Decrypts a value of `seal`. Throws `SealError`: `unknown_version` for another format, otherwise `damaged`. */
export function unseal(key: KeyObject, sealed: Sealed, associated: Uint8Array): Buffer {
  if (sealed.format !== SEAL_FORMAT) throw unknownFormat(sealed.format)
  // The cipher would accept a shorter tag, which is easier to forge, so lengths are part of the format.
  if (sealed.iv.length !== IV_BYTES || sealed.authTag.length !== TAG_BYTES) throw damaged()
  const decipher = createDecipheriv(CIPHER, key, sealed.iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(associated).setAuthTag(sealed.authTag)
  try {
    return Buffer.concat([decipher.update(sealed.ciphertext), decipher.final()])
  } catch (cause) {
    throw damaged(cause)
  }
}

/**
 * Encodes associated data unambiguously: the name and number of the format, the number of parts, then the length and text
 * of each part.
 */
export function associatedData(...parts: readonly string[]): Buffer {
  const head = Buffer.from(`toolbridge/lockbox/${SEAL_FORMAT}`)
  return Buffer.concat([head, bigEndian(parts.length), ...parts.flatMap(lengthPrefixed)])
}

/** Concatenates format, IV, tag and ciphertext. */
export function pack(sealed: Sealed): Buffer {
  return Buffer.concat([Buffer.of(sealed.format), sealed.iv, sealed.authTag, sealed.ciphertext])
}

/** Splits what `pack` concatenated. Throws `SealError` if it is too short. */
export function unpack(bytes: Uint8Array): Sealed {
  const [format] = bytes
  if (format === undefined || bytes.length < HEADER_BYTES) throw damaged()
  return {
    format,
    iv: bytes.subarray(1, 1 + IV_BYTES),
    authTag: bytes.subarray(1 + IV_BYTES, HEADER_BYTES),
    ciphertext: bytes.subarray(HEADER_BYTES),
  }
}

function lengthPrefixed(part: string): readonly Buffer[] {
  const text = Buffer.from(part)
  return [bigEndian(text.length), text]
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function damaged(cause?: unknown): SealError {
  const message = 'the encrypted value was changed or moved to another row; restore it from a backup'
  return new SealError('damaged', message, { cause })
}

function unknownFormat(format: number): SealError {
  const message = `the value is encrypted in format ${format}, and this program supports only ${SEAL_FORMAT}; update the program`
  return new SealError('unknown_version', message)
}
