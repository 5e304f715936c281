import type { JsonObject } from '../../../jsonrpc/json.ts'
import { nodeBuiltin } from '../../../runtime/node-builtins.ts'
import { sha256Base64url } from '../../crypto/base64url.ts'
import {
  draftName,
  namesIn,
  privateFolder,
  readIfPresent,
  removeFile,
  replaceFile,
  sweepDrafts,
} from './files.ts'
import { damagedFileError, parseJson } from './record-file.ts'
import { hasErrorCode, withFileErrors } from './storage-error.ts'

type Kind<T> = (value: JsonObject) => value is JsonObject & T

/** A folder with one JSON file per name, where the last to write wins. */
export interface DocumentFolder<T> {
  read(name: string): Promise<T | undefined>
  /** Undefined removes it. */
  write(name: string, value: T | undefined): Promise<void>
  /** Reads and removes it; of several who try, one succeeds. */
  take(name: string): Promise<T | undefined>
  removeWhere(isUnwanted: (value: T) => boolean): Promise<void>
}

/** The private folder `kind` inside a private folder. Names appear in it as digests only. */
export function documentFolder<T extends object>(
  root: string,
  kind: string,
  isRight: Kind<T>,
): DocumentFolder<T> {
  const folder = `${root}/${kind}`
  const fileOf = async (name: string): Promise<string> => `${await sha256Base64url(name)}.json`
  return {
    async read(name) {
      await privateFolder(root)
      return readDocument(`${folder}/${await fileOf(name)}`, isRight)
    },
    async write(name, value) {
      await privateFolder(root)
      await privateFolder(folder)
      if (value === undefined) await removeFile(`${folder}/${await fileOf(name)}`)
      else await replaceFile({ folder, name: await fileOf(name) }, `${JSON.stringify(value, null, 2)}\n`)
    },
    async take(name) {
      await privateFolder(root)
      const [path, taken] = [`${folder}/${await fileOf(name)}`, `${folder}/${draftName()}`]
      if (!(await moved(path, taken))) return undefined
      const value = await readDocument(taken, isRight)
      await removeFile(taken)
      return value
    },
    async removeWhere(isUnwanted) {
      const names = await namesIn(folder)
      await sweepDrafts(folder, names)
      for (const name of names.filter((each) => each.endsWith('.json'))) {
        const path = `${folder}/${name}`
        const value = await readDocument(path, isRight).catch(() => undefined)
        if (value !== undefined && isUnwanted(value)) await removeFile(path)
      }
    },
  }
}

async function readDocument<T>(path: string, isRight: Kind<T>): Promise<T | undefined> {
  const text = await readIfPresent(path)
  if (text === undefined) return undefined
  const value = parseJson(path, text)
  if (!isRight(value)) throw damagedFileError(path, 'it lacks something, or has it as something else')
  return value
}

async function moved(from: string, to: string): Promise<boolean> {
  return withFileErrors('take', from, async () => {
    try {
      await nodeBuiltin('node:fs').promises.rename(from, to)
      return true
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return false
      throw error
    }
  })
}
