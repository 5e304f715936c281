import { FileError, recordFolder as openRecordFolder } from '@toolbridge/client/internal'
import { ConfigError } from './errors.ts'

/** Records of this user, one JSON file each, that any number of processes may change at once. */
export interface RecordFolder {
  /** The record, or undefined if there is none. Rejects if it is damaged or other users could have written it. */
  read(key: string): Promise<unknown>
  /** Rejects with a `ConfigError`. */
  write(key: string, record: object): Promise<void>
  remove(key: string): Promise<void>
  /** All records that can be read. */
  list(): Promise<readonly unknown[]>
}

/** The records in a folder, which is created on the first write. */
export function recordFolder(folder: string): RecordFolder {
  const records = openRecordFolder({ folder, digest: 'hex', others: 'read', durability: 'volatile' })
  return {
    read: (key) => records.read(key),
    write: (key, record) =>
      records.write(key, record).catch((error: unknown) => throwConfigError(folder, error)),
    remove: (key) => records.remove(key),
    list: () => records.list(),
  }
}

function throwConfigError(folder: string, error: unknown): never {
  if (!(error instanceof FileError)) throw error
  const { problem: message, fix } = error
  throw ConfigError.of([{ code: 'record_not_kept', severity: 'error', file: folder, path: '', message, fix }])
}
