import { SealError } from '../errors.ts'
import { addKey, readKeyFile, retireKey } from './key-file.ts'
import { type Keyring, type Keyrings, type KeySource, parseKeyring, reopenKeyrings } from './keyring.ts'

/** The keys that wrap the data keys of a lockbox. */
export interface WrappingKeys {
  /** The key that a rotation wraps everything with. */
  readonly preferred: Keyring
  /** Returns a key by its id. Reads a key file again for an unknown one. Rejects with `wrong_key` if it is not there. */
  byId(keyId: string): Promise<Keyring>
  /** Reads a key file again, which another process may have changed. */
  reload(): Promise<void>
  /** Adds a new preferred key, unless there are several keys already. Undefined if the source does not allow it. */
  readonly add: (() => Promise<void>) | undefined
  /** Removes all keys except the preferred one. Returns the files that they were moved to. */
  retire(): Promise<readonly string[]>
}

/** Keys that do not change. */
export function fixedWrappingKeys(keyrings: Keyrings): WrappingKeys {
  return {
    preferred: keyrings[0],
    byId: async (keyId) => find(keyrings, keyId) ?? unknown(keyrings, keyId),
    reload: async () => {},
    add: undefined,
    retire: async () => [],
  }
}

/** The keys of a source, of which `keyrings` were read. */
export function wrappingKeysOf(source: KeySource, keyrings: Keyrings): WrappingKeys {
  return 'file' in source ? wrappingKeysInFile(source.file, keyrings) : fixedWrappingKeys(keyrings)
}

/** Another process may rotate the key of the same file. */
function wrappingKeysInFile(file: string, keyrings: Keyrings): WrappingKeys {
  let known = keyrings
  const reload = async (neededKeyId = known[0].keyId): Promise<Keyrings> => {
    known = await reopenKeyrings({ file }, neededKeyId)
    return known
  }
  return {
    get preferred() {
      return known[0]
    },
    byId: async (keyId) => find(known, keyId) ?? find(await reload(keyId), keyId) ?? unknown(known, keyId),
    reload: async () => void (await reload()),
    async add() {
      if ((await reload()).length > 1) return
      await addKey(file)
      await reload()
    },
    async retire() {
      const [, ...earlier] = (await readKeyFile(file)) ?? []
      const files: string[] = []
      for (const key of earlier) {
        const { keyId } = parseKeyring(key, `the key in ${file}`)
        files.push(await retireKey(file, key, keyId))
      }
      await reload()
      return files
    },
  }
}

function find(keyrings: Keyrings, keyId: string): Keyring | undefined {
  return keyrings.find((keyring) => keyring.keyId === keyId)
}

/** Names the required and the present keys by their digests. */
function unknown(keyrings: Keyrings, neededKeyId: string): never {
  const given = keyrings.map(({ keyId }) => keyId)
  const present =
    given.length === 1 ? `the given key is ${given[0]}` : `the given keys are ${given.join(', ')}`
  const message =
    `the lockbox is encrypted with key ${neededKeyId}, and ${present}; ` +
    `open it with its original key or key file`
  throw new SealError('wrong_key', message)
}
