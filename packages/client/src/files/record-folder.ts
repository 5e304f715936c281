import { isJsonObject, type JsonObject, parseJson } from '../jsonrpc/json.ts'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { DamagedFileError, FileError, hasErrorCode, withFileErrors } from './file-error.ts'
import {
  type Durability,
  draftName,
  isOwn,
  listFolder,
  moveFile,
  type OthersAccess,
  removeAbandonedDrafts,
  removeFile,
  replaceFile,
} from './private-files.ts'

/** How a {@link RecordFolder} stores its records. */
export interface RecordFolderOptions {
  readonly folder: string
  /** Encoding of the SHA-256 of a key in the name of its file. */
  readonly digest: 'hex' | 'base64url'
  /** Access that other users may have to the folder and its files. With more, reading and writing reject. */
  readonly others: OthersAccess
  /** Whether a written record must survive a power failure. */
  readonly durability: Durability
  /** Indentation of the JSON text. Default: none. */
  readonly indent?: number
}

/**
 * A folder with one JSON object per file, in which any number of processes may read and write; the last write wins.
 * Files appear and change atomically. Operations reject with a {@link FileError}.
 */
export interface RecordFolder {
  /** The record, or undefined if there is none. Rejects if it is damaged or other users could have written it. */
  read(key: string): Promise<JsonObject | undefined>
  /** Writes a record and creates the folder if needed. */
  write(key: string, record: object): Promise<void>
  /** Removes a record if it exists. */
  remove(key: string): Promise<void>
  /** Reads and removes a record; of several concurrent callers one gets it. */
  take(key: string): Promise<JsonObject | undefined>
  /** All records that can be read. */
  list(): Promise<readonly JsonObject[]>
  /** The path of the file that holds the record of a key. */
  pathOf(key: string): string
  /** Removes the records that match, and what dead writers left behind. Skips records that cannot be read. */
  removeWhere(matches: (record: JsonObject) => boolean): Promise<void>
}

/** A folder of records. Touches no file until the first operation. */
export function recordFolder(options: RecordFolderOptions): RecordFolder {
  return new JsonRecordFolder(options)
}

class JsonRecordFolder implements RecordFolder {
  readonly #options: RecordFolderOptions

  constructor(options: RecordFolderOptions) {
    this.#options = options
  }

  read(key: string): Promise<JsonObject | undefined> {
    return this.#read(this.#nameOf(key))
  }

  async write(key: string, record: object): Promise<void> {
    const { folder, durability, indent } = this.#options
    await withFileErrors('create the folder', folder, () =>
      nodeBuiltin('node:fs').promises.mkdir(folder, { recursive: true, mode: 0o700 }),
    )
    await this.#requireOwnFolder()
    const text = `${JSON.stringify(record, null, indent)}\n`
    await replaceFile({ folder, name: this.#nameOf(key) }, text, durability)
  }

  remove(key: string): Promise<void> {
    return removeFile(this.pathOf(key))
  }

  async take(key: string): Promise<JsonObject | undefined> {
    const taken = draftName()
    if (!(await moveFile(this.pathOf(key), this.#file(taken)))) return undefined
    const record = await this.#read(taken)
    await removeFile(this.#file(taken))
    return record
  }

  async list(): Promise<readonly JsonObject[]> {
    const names = this.#recordNames(await listFolder(this.#options.folder).catch(() => []))
    const records = await Promise.all(names.map((name) => this.#read(name).catch(() => undefined)))
    return records.filter((record) => record !== undefined)
  }

  async removeWhere(matches: (record: JsonObject) => boolean): Promise<void> {
    const { folder } = this.#options
    const names = await listFolder(folder)
    await removeAbandonedDrafts(folder, names)
    for (const name of this.#recordNames(names)) {
      const record = await this.#read(name).catch(() => undefined)
      if (record !== undefined && matches(record)) await removeFile(this.#file(name))
    }
  }

  pathOf(key: string): string {
    return this.#file(this.#nameOf(key))
  }

  #recordNames(names: readonly string[]): readonly string[] {
    const pattern = this.#options.digest === 'hex' ? /^[0-9a-f]{64}\.json$/ : /^[\w-]{43}\.json$/
    return names.filter((name) => pattern.test(name))
  }

  #nameOf(key: string): string {
    const hash = nodeBuiltin('node:crypto').createHash('sha256').update(key)
    return `${hash.digest(this.#options.digest)}.json`
  }

  #file(name: string): string {
    return `${this.#options.folder}/${name}`
  }

  async #read(name: string): Promise<JsonObject | undefined> {
    const path = this.#file(name)
    const text = await withFileErrors('read', path, () => this.#textOf(path))
    return text === undefined ? undefined : parseJsonFile(path, text)
  }

  async #textOf(path: string): Promise<string | undefined> {
    const { constants, promises } = nodeBuiltin('node:fs')
    try {
      await this.#requireOwnFolder()
      // Follows no link and waits for no pipe. Windows has no such flags.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const handle = await promises.open(path, flags)
      try {
        const found = await handle.stat()
        if (!found.isFile() || !isOwn(found, this.#options.others)) throw foreignFile(path)
        return await handle.readFile('utf8')
      } finally {
        await handle.close()
      }
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  async #requireOwnFolder(): Promise<void> {
    const { folder, others } = this.#options
    if (!isOwn(await nodeBuiltin('node:fs').promises.stat(folder), others)) throw foreignFolder(folder)
  }
}

/** The JSON object in the text of a file. The error never quotes the text, which may contain secrets. */
export function parseJsonFile(path: string, text: string): JsonObject {
  const value = parseJson(text)
  if (!isJsonObject(value)) throw new DamagedFileError(path, 'it is not a JSON object')
  return value
}

function foreignFolder(folder: string): FileError {
  return new FileError(`other users can change the files in ${folder}`, `run chmod 700 ${folder}`)
}

function foreignFile(path: string): FileError {
  return new FileError(`other users could have written ${path}`, 'delete it')
}
