import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { createFileOnce, hasErrorCode } from '@toolbridge/client/internal'
import { SealError } from '../errors.ts'
import { pack, seal, unpack, unseal } from './seal.ts'

const KEY_BYTES = 32
const KEY_ID_BYTES = 8

/** The key that encrypts every owner's data key. The key itself is not accessible. */
export interface Keyring {
  /** Short digest of the key, safe to store and to show. */
  readonly keyId: string
  /** Encrypts a data key. */
  wrap(dataKey: Uint8Array, associated: Uint8Array): Promise<Uint8Array>
  /** Decrypts a data key. Rejects with `SealError` for another key or other associated data. */
  unwrap(wrapped: Uint8Array, associated: Uint8Array): Promise<Uint8Array>
}

/** Source of the key: a file, created with a new key if missing, or 32 bytes as hex or base64. */
export type KeySource = { readonly file: string } | { readonly key: string }

/** Opens the key of `source`. A key file must be readable by its owner only. Errors never quote the key. */
export async function openKeyring(source: KeySource): Promise<Keyring> {
  if ('key' in source) return createKeyring(parseKey(source.key, 'the key given'))
  const text = (await readPrivately(source.file)) ?? (await createKeyFile(source.file))
  return createKeyring(parseKey(text, `the key in ${source.file}`))
}

/** Opens the key of an existing lockbox. A missing key file is not created, because a new key would decrypt nothing. */
export async function reopenKeyring(source: KeySource, neededKeyId: string): Promise<Keyring> {
  if ('file' in source && (await readPrivately(source.file)) === undefined)
    throw missingKeyFile(source.file, neededKeyId)
  return openKeyring(source)
}

function createKeyring(bytes: Buffer): Keyring {
  const key = createSecretKey(bytes)
  return {
    keyId: keyIdOf(key),
    wrap: async (dataKey, associated) => pack(seal(key, dataKey, associated)),
    unwrap: async (wrapped, associated) => unseal(key, unpack(wrapped), associated),
  }
}

function keyIdOf(key: KeyObject): string {
  const digest = createHmac('sha256', key).update('toolbridge/lockbox/key-id').digest()
  return digest.subarray(0, KEY_ID_BYTES).toString('hex')
}

function parseKey(text: string, what: string): Buffer {
  const trimmed = text.trim()
  const encoding = /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64'
  const bytes = Buffer.from(trimmed, encoding)
  const isWhole =
    encoding === 'hex' || bytes.toString('base64').replace(/=+$/, '') === trimmed.replace(/=+$/, '')
  if (bytes.length === KEY_BYTES && isWhole) return bytes
  throw new SealError('wrong_key', `${what} is not ${KEY_BYTES} bytes as hex or base64`)
}

async function createKeyFile(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // If two processes start at once, one creates the file and both read its key.
  const location = { folder: dirname(file), name: basename(file) }
  await createFileOnce(location, `${randomBytes(KEY_BYTES).toString('hex')}\n`, 'durable')
  return readFile(file, 'utf8')
}

async function readPrivately(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file)
    // Windows reports no real modes; there the access list of the folder protects the file.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw tooOpen(file)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function missingKeyFile(file: string, neededKeyId: string): SealError {
  const message =
    `the key file ${file} is missing, and the lockbox is encrypted with key ${neededKeyId}; ` +
    `restore the file from a backup: without it the data cannot be decrypted`
  return new SealError('wrong_key', message)
}

function tooOpen(file: string): SealError {
  return new SealError(
    'wrong_key',
    `the key file ${file} is readable by other users; run: chmod 600 '${file}'`,
  )
}
