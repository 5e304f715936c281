import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { withoutEnding } from '@toolbridge/client/internal'
import { SealError } from '../errors.ts'
import { createKeyFile, KEY_BYTES, readKeyFile } from './key-file.ts'
import { pack, seal, unpack, unseal } from './seal.ts'

const KEY_ID_BYTES = 8

/** A key that encrypts data keys of owners. The key itself is not accessible. */
export interface Keyring {
  /** Short digest of the key, safe to store and to show. */
  readonly keyId: string
  /** Encrypts a data key. */
  wrap(dataKey: Uint8Array, associated: Uint8Array): Promise<Uint8Array>
  /** Decrypts a data key. Rejects with `SealError` for another key or other associated data. */
  unwrap(wrapped: Uint8Array, associated: Uint8Array): Promise<Uint8Array>
}

/** The key to use, then earlier keys, which still decrypt. */
export type Keyrings = readonly [Keyring, ...Keyring[]]

/**
 * Source of the key: a file, created with a new key if missing, or 32 bytes as hex or base64. Earlier keys, which still decrypt
 * until a rotation has replaced them, are the further lines of the file or `previous`.
 */
export type KeySource =
  | { readonly file: string }
  | { readonly key: string; readonly previous?: readonly string[] }

/** Opens the key of `source`. A key file must be readable by its owner only. Errors never quote the key. */
export async function openKeyring(source: KeySource): Promise<Keyring> {
  const [keyring] = await openKeyrings(source)
  return keyring
}

/** Opens the key and the earlier keys of `source`. */
export async function openKeyrings(source: KeySource): Promise<Keyrings> {
  if ('key' in source) return parseKeys([source.key, ...(source.previous ?? [])], 'the key given')
  const lines = (await readKeyFile(source.file)) ?? (await createKeyFile(source.file))
  return parseKeys(lines, `the key in ${source.file}`)
}

/** Opens the keys of an existing lockbox. A missing key file is not created, because a new key would decrypt nothing. */
export async function reopenKeyrings(source: KeySource, neededKeyId: string): Promise<Keyrings> {
  if ('file' in source && (await readKeyFile(source.file)) === undefined)
    throw missingKeyFile(source.file, neededKeyId)
  return openKeyrings(source)
}

function parseKeys([first = '', ...others]: readonly string[], what: string): Keyrings {
  return [parseKeyring(first, what), ...others.map((text) => parseKeyring(text, what))]
}

/** Opens a key from its text. `what` names it in errors. */
export function parseKeyring(text: string, what: string): Keyring {
  const key = createSecretKey(parseKey(text, what))
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
    encoding === 'hex' || withoutEnding(bytes.toString('base64'), '=') === withoutEnding(trimmed, '=')
  if (bytes.length === KEY_BYTES && isWhole) return bytes
  throw new SealError('wrong_key', `${what} is not ${KEY_BYTES} bytes as hex or base64`)
}

function missingKeyFile(file: string, neededKeyId: string): SealError {
  const message =
    `the key file ${file} is missing, and the lockbox is encrypted with key ${neededKeyId}; ` +
    `restore the file from a backup: without it the data cannot be decrypted`
  return new SealError('wrong_key', message)
}
