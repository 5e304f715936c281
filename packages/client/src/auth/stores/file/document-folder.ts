import { DamagedFileError } from '../../../files/file-error.ts'
import { ensurePrivateFolder } from '../../../files/private-files.ts'
import { recordFolder } from '../../../files/record-folder.ts'
import type { JsonObject } from '../../../jsonrpc/json.ts'

type Guard<T> = (value: JsonObject) => value is JsonObject & T

/** Documents of one type, one file each; the last write wins. */
export interface DocumentFolder<T> {
  read(name: string): Promise<T | undefined>
  /** Undefined removes the document. */
  write(name: string, value: T | undefined): Promise<void>
  /** Reads and removes a document; of several concurrent callers one gets it. */
  take(name: string): Promise<T | undefined>
  removeWhere(matches: (value: T) => boolean): Promise<void>
}

/** The documents in the folder `kind` of a private folder. File names are digests, since names may be secrets. */
export function documentFolder<T extends object>(
  root: string,
  kind: string,
  isValid: Guard<T>,
): DocumentFolder<T> {
  const folder = `${root}/${kind}`
  const records = recordFolder({
    folder,
    digest: 'base64url',
    others: 'none',
    durability: 'durable',
    indent: 2,
  })
  const checked = (name: string, value: JsonObject | undefined): T | undefined => {
    if (value === undefined || isValid(value)) return value
    throw new DamagedFileError(records.pathOf(name), 'a member is missing or has the wrong type')
  }
  return {
    async read(name) {
      await ensurePrivateFolder(root)
      return checked(name, await records.read(name))
    },
    async write(name, value) {
      await ensurePrivateFolder(root)
      await (value === undefined ? records.remove(name) : records.write(name, value))
    },
    async take(name) {
      await ensurePrivateFolder(root)
      return checked(name, await records.take(name))
    },
    removeWhere: (matches) => records.removeWhere((value) => isValid(value) && matches(value)),
  }
}
